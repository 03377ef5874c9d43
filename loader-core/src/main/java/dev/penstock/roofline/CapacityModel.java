package dev.penstock.roofline;

import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.StageStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What each stage could do on its own, against what the trainer needs. Immutable.
 *
 * <p>The bottleneck is the stage of the lowest capacity, threads ÷ mean service time, and never the one that overlaps
 * most with the trainer's waits: that one changes with the trainer's speed while nothing in the pipeline does. The cores
 * are a stage of their own, {@code cpu}: cores ÷ CPU seconds of a batch over all stages. Where it lies lowest, threads
 * of any stage only take the cores from one another.
 *
 * @param stages read, decode, collate, cpu (where the JVM can tell)
 * @param need batches a second that the trainer could take; infinite for a drained pipeline
 */
public record CapacityModel(List<Stage> stages, double need) {

    /** The name of the stage that the cores make. */
    public static final String CPU = "cpu";

    /**
     * One stage.
     *
     * @param name read, decode, collate or cpu
     * @param threads workers, or cores
     * @param serviceSeconds seconds of one of them for one batch
     * @param capacity batches a second
     */
    public record Stage(String name, int threads, double serviceSeconds, double capacity) {}

    public CapacityModel {
        stages = List.copyOf(stages);
    }

    /** The model of a measured interval on {@code cores} cores. */
    public static CapacityModel of(DataWaitReport report, int cores) {
        return of(report.stages(), report.trainerRoofline(), cores);
    }

    /** The model of stages that fed a trainer who could take {@code need} batches a second. */
    public static CapacityModel of(List<StageStats> measured, double need, int cores) {
        List<Stage> stages = new ArrayList<>();
        double cpu = 0;
        boolean known = true;
        for (StageStats stage : measured) {
            stages.add(new Stage(stage.stage(), stage.threads(), stage.serviceSeconds(), stage.capacity()));
            known &= stage.cpuNanos() >= 0;
            cpu += stage.batches() == 0 ? 0 : stage.cpuNanos() / 1e9 / stage.batches();
        }
        if (known && cpu > 0) {
            stages.add(new Stage(CPU, cores, cpu, cores / cpu));
        }
        return new CapacityModel(stages, need);
    }

    /** Batches a second that the pipeline could make. */
    public double dataRoofline() {
        return stages.stream().mapToDouble(Stage::capacity).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** The stage of the lowest capacity, cores included, whatever the trainer's speed. */
    public String bottleneck() {
        return lowest(stages);
    }

    /** The lowest of read, decode and collate. */
    public String slowestStage() {
        return lowest(stages.stream().filter(stage -> !stage.name().equals(CPU)).toList());
    }

    /** The stage called {@code name}, or one of infinite capacity. */
    public Stage stage(String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElse(new Stage(name, 0, 0, Double.POSITIVE_INFINITY));
    }

    /** How much of its capacity the trainer leaves unused: 0.5 when it needs half; negative when it needs more. */
    public double headroom(String stage) {
        double capacity = stage(stage).capacity();
        return Double.isInfinite(capacity) ? 1 : 1 - need / capacity;
    }

    private static String lowest(List<Stage> among) {
        return among.stream()
                .min(Comparator.comparingDouble(Stage::capacity))
                .map(Stage::name)
                .orElse("none");
    }
}
