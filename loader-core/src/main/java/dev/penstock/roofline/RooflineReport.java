package dev.penstock.roofline;

import dev.penstock.probe.WaitSummary;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that {@link Roofline#measure()} measured. Immutable; {@link #toJson()} is what {@code report.json} holds.
 *
 * @param title what was measured: the dataset and the trainer
 * @param simulated whether the trainer was a stand-in (a sleep or a spin) and not a model on an accelerator
 * @param machine cores, JVM and operating system
 * @param batchesPerSecond with the trainer
 * @param stepSeconds the trainer's step on batches that are there already, the loader off
 * @param waits the trainer's waits
 * @param waitHistogram how many waits fell into each power of two of microseconds: 0-1, 1-2, 2-4, …
 * @param timeline the queues at each batch of the measured stretch
 * @param evidence what the advisor looked at
 * @param predictions of the replay, for changes that might help
 * @param advice what to do next, the first thing first
 */
public record RooflineReport(
        String title,
        boolean simulated,
        Machine machine,
        double batchesPerSecond,
        double stepSeconds,
        WaitSummary waits,
        List<Long> waitHistogram,
        List<Moment> timeline,
        Evidence evidence,
        List<Prediction> predictions,
        List<Advice> advice) {

    /** Where it was measured. */
    public record Machine(int cores, String java, String os) {
        static Machine here() {
            return new Machine(
                    CpuMeter.cores(),
                    Runtime.version().toString(),
                    System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        }
    }

    /**
     * The queues at one instant.
     *
     * @param seconds since the stretch began
     * @param read pieces to be read
     * @param decode pieces to be decoded
     * @param collate batches to be collated
     * @param ready batches for the trainer
     */
    public record Moment(double seconds, int read, int decode, int collate, int ready) {}

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    public RooflineReport {
        waitHistogram = List.copyOf(waitHistogram);
        timeline = List.copyOf(timeline);
        predictions = List.copyOf(predictions);
        advice = List.copyOf(advice);
    }

    /** Samples a second with the trainer. */
    public double samplesPerSecond() {
        return batchesPerSecond * evidence.batchSize();
    }

    /** Batches a second that the trainer could take: the accelerator's roofline at this batch. */
    public double acceleratorRoofline() {
        return 1 / stepSeconds;
    }

    /** Batches a second that the pipeline could make. */
    public double dataRoofline() {
        return evidence.dataRoofline();
    }

    /** What limits training. */
    public Diagnosis diagnosis() {
        return evidence.diagnosis();
    }

    /** What to do next, the first thing first; never empty. */
    public List<Advice> advise() {
        return advice;
    }

    /** The report as JSON. Values that have no number ("no limit") are the strings Infinity and NaN. */
    public String toJson() {
        return JSON.writeValueAsString(new Document(
                this,
                samplesPerSecond(),
                acceleratorRoofline(),
                dataRoofline(),
                diagnosis(),
                evidence.replay() == null ? 0 : evidence.replay().error(),
                evidence.decode() == null ? null : evidence.decode().fit()));
    }

    private record Document(
            RooflineReport report,
            double samplesPerSecond,
            double acceleratorRoofline,
            double dataRoofline,
            Diagnosis diagnosis,
            double modelError,
            @org.jspecify.annotations.Nullable UslFit decodeFit) {}

    /** A summary for a terminal. */
    public String text() {
        StringBuilder out = new StringBuilder();
        line(out, "%s%s", title, simulated ? " (simulated accelerator step)" : "");
        line(
                out,
                "  training %.1f batches/s = min(accelerator %.1f, data %.1f)   wait %.1f %%   %s",
                batchesPerSecond,
                acceleratorRoofline(),
                dataRoofline(),
                100 * evidence.waitShare(),
                diagnosis().trainerBound()
                        ? "the trainer is the lower ceiling"
                        : "data is: " + diagnosis().cause());
        line(out, "  stage      threads  batches/s  headroom");
        for (CapacityModel.Stage stage : evidence.capacity().stages()) {
            line(
                    out,
                    "  %-9s %8d %10.1f %8.0f %%",
                    stage.name(),
                    stage.threads(),
                    stage.capacity(),
                    100 * evidence.capacity().headroom(stage.name()));
        }
        if (evidence.batches() != null) {
            line(
                    out,
                    "  batch size  samples/s on fake data (knee %.1f)",
                    evidence.batches().knee());
            evidence.batches().points().forEach(p -> line(out, "  %10d  %.1f", p.size(), p.samplesPerSecond()));
        }
        sweep(out, evidence.decode());
        sweep(out, evidence.read());
        if (evidence.ledger() != null) {
            line(out, "  ledger of a step (95 %% intervals)");
            evidence.ledger().text().lines().forEach(l -> line(out, "    %s", l));
        }
        if (evidence.replay() != null) {
            line(
                    out,
                    "  what if (the model is off by %.1f %% on this run)",
                    100 * evidence.replay().error());
            predictions.forEach(p -> line(
                    out,
                    "    %-28s %8.1f batches/s  %+6.1f %% ± %.1f  wait %.0f %%%s",
                    p.change().label(),
                    p.batchesPerSecond(),
                    100 * p.gain(),
                    100 * p.error(),
                    100 * p.waitShare(),
                    p.isBelievable() ? "" : "  (within the error)"));
        }
        advice.forEach(a -> a.text().lines().forEach(l -> line(out, "%s", l)));
        return out.toString();
    }

    private static void sweep(StringBuilder out, @org.jspecify.annotations.Nullable ConcurrencyReport sweep) {
        if (sweep == null) {
            return;
        }
        UslFit fit = java.util.Objects.requireNonNull(sweep.fit());
        line(
                out,
                "  %s threads: drained, with trainer (batches/s), wait   fit σ %.3f κ %.4f   limit %s",
                sweep.stage(),
                fit.sigma(),
                fit.kappa(),
                sweep.limit());
        sweep.points()
                .forEach(p -> line(
                        out,
                        "    %3d %9.1f %9.1f %6.1f %%   cpu %.0f %%",
                        p.threads(),
                        p.drained(),
                        p.training(),
                        100 * p.waitShare(),
                        100 * p.processCpu()));
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    @Override
    public String toString() {
        return text();
    }
}
