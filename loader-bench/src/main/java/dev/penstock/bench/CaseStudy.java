package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.arrow.artifact.MaterializeReport;
import dev.penstock.bench.report.Comparison;
import dev.penstock.bench.report.ReportFiles;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.roofline.Change;
import dev.penstock.roofline.PipelineReplay;
import dev.penstock.roofline.Recording;
import dev.penstock.roofline.Roofline;
import dev.penstock.roofline.RooflineReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The walk of docs/tuning.md, measured as it goes: raw clips with one decode thread, more threads until they stop
 * helping, clips at training size, truth as Arrow, and the advice to stop. Each change is predicted by the replay of what
 * was recorded before it; at the end predictions and measurements stand side by side. Nothing printed is known beforehand:
 * on another machine the walk may end elsewhere, and says so. One use, one thread.
 */
final class CaseStudy {
    private static final int BATCH = 4;
    /** For the parsing of truth, which takes the JVM's compiler longest: with it cold, every gain is off. */
    private static final double WARM_UP_SECONDS = 6;

    private static final int TRIAL_BATCHES = 20;
    private static final int LEAST_TURN = 12;

    private final CaseData data;
    private final SimulatedStep step;
    private final double stepMillis;
    private final double seconds;
    private final int rounds;
    private final int threads;
    private final @Nullable Path folder;
    private final PrintWriter out;
    private final List<WhatIf> predictions = new ArrayList<>();
    private int station;

    /**
     * @param stepMillis of the simulated accelerator
     * @param seconds that each figure is measured
     * @param rounds in which both sides of a change are measured in turn, an odd number
     * @param threads decode threads that the walk goes up to
     * @param folder where the reports go, or null
     */
    CaseStudy(
            CaseData data,
            double stepMillis,
            double seconds,
            int rounds,
            int threads,
            @Nullable Path folder,
            PrintWriter out) {
        this.data = data;
        this.step = new SimulatedStep(stepMillis);
        this.stepMillis = stepMillis;
        this.seconds = seconds;
        this.rounds = rounds;
        this.threads = threads;
        this.folder = folder;
        this.out = out;
    }

    /** Walks. */
    void walk(Episodes raw) throws Exception {
        Episodes train = raw.split("train");
        say(
                "%nEvery figure is measured now. The accelerator is simulated: each batch (%d windows of 4 frames at 224x224,"
                        + " a steering angle, a scan of %d points) takes it %.0f ms and none of the cores.",
                BATCH, data.settings().points(), stepMillis);

        warmUp(raw);
        RooflineReport one = measure("raw clips, JSON truth, 1 decode thread", train, 1, null, false, false);
        int more = Math.max(2, threads);
        RooflineReport two =
                measure("raw clips, JSON truth, " + more + " decode threads", train, more, one, true, false);
        Change threadsUp = Change.decodeThreads(more - 1).named("decode threads 1 -> " + more);
        try (Loader before = loader(train, 1);
                Loader after = loader(train, more)) {
            predictions.add(InTurn.known(threadsUp, before, after, step, turn(one), rounds));
        }

        say("%nThreads have done what they can. The other way is to pay once for small clips: first a trial.");
        MaterializeReport trialWork = data.materialize(raw.split("test"), "trial");
        say("   %s", shortened(trialWork));
        Episodes trialArrow = data.artifact("trial");
        Episodes trialClips = CaseData.clipsOf(trialArrow, raw);
        say("   %s", factors(two, trialClips, more));
        say("   Then the rest.");
        say("   %s", shortened(data.materialize(train, "artifact")));
        Episodes artifact = data.artifact("artifact");

        Episodes smallClips = CaseData.clipsOf(artifact, train);
        RooflineReport clips = measure("materialized clips, still JSON truth", smallClips, more, two, false, true);
        predictions.add(asInTrial("materialized clips", two, train, trialClips, smallClips));
        RooflineReport arrow = measure("materialized clips, Arrow truth", artifact, more, clips, true, true);
        predictions.add(asInTrial("JSON truth -> Arrow", clips, smallClips, trialArrow, artifact));
        end(one, arrow);
    }

    /**
     * Until the JVM has compiled what the stations would else be measured without, in every way that the walk will use it:
     * code that comes upon a new caller in mid-walk is compiled anew, and the parser of truth was 1.7 times as fast or as
     * slow afterwards.
     */
    private void warmUp(Episodes raw) throws IOException, InterruptedException {
        Episodes train = raw.split("train");
        // In the dataset's order, where decoding goes on from batch to batch and leaves the cores to the truth.
        warmUp(loading(train, threads).shuffle(Shuffle.none()), 0.5 * WARM_UP_SECONDS);
        data.materialize(raw.split("test"), "warm-up");
        Episodes artifact = data.artifact("warm-up");
        warmUp(loading(CaseData.clipsOf(artifact, raw), threads), 0.25 * WARM_UP_SECONDS);
        warmUp(loading(artifact, threads), 0.05 * WARM_UP_SECONDS);
        warmUp(loading(train, threads), 0.2 * WARM_UP_SECONDS);
    }

    private static void warmUp(Loader.Builder builder, double wanted) throws IOException {
        long end = System.nanoTime() + Math.round(wanted * 1e9);
        try (Loader loader = builder.build()) {
            while (true) {
                for (Batch batch : loader) {
                    if (batch.number() >= 0 && System.nanoTime() > end) {
                        return;
                    }
                }
            }
        }
    }

    private RooflineReport measure(
            String title,
            Episodes episodes,
            int decode,
            @Nullable RooflineReport before,
            boolean sweep,
            boolean materialized)
            throws Exception {
        station++;
        say("%n%d  %s", station, title);
        boolean last = sweep && materialized;
        RooflineReport report;
        try (Loader loader = loader(episodes, decode)) {
            Roofline roofline = Roofline.of(loader, step)
                    .secondsPerFigure(seconds)
                    .titled(title, true)
                    .materialized(materialized)
                    .ledgerRounds(last ? 3 : 0);
            roofline.decodeThreads(sweep ? new int[] {1, 2, threads, 2 * threads} : new int[0]);
            report = (before == null ? roofline : roofline.after(before)).measure();
        }
        CaseText.print(report, out);
        if (folder != null) {
            ReportFiles.write(report, place(station));
        }
        return report;
    }

    private static Loader loader(Episodes episodes, int decode) throws IOException {
        return loading(episodes, decode).build();
    }

    private static Loader.Builder loading(Episodes episodes, int decode) {
        return Loader.builder(episodes, CaseData.view())
                .batchSize(BATCH)
                .shuffle(Shuffle.full(7))
                .decodeConcurrency(decode);
    }

    private WhatIf asInTrial(String label, RooflineReport now, Episodes before, Episodes trial, Episodes after)
            throws Exception {
        int decode = now.evidence().settings().decodeThreads();
        try (Loader was = loader(before, decode);
                Loader tried = loader(trial, decode);
                Loader is = loader(after, decode)) {
            return InTurn.asInTrial(label, was, tried, is, step, turn(now), rounds);
        }
    }

    /** Batches of a turn: some seconds' worth before the change. */
    private int turn(RooflineReport before) {
        return (int) Math.max(LEAST_TURN, Math.round(seconds * before.batchesPerSecond()));
    }

    /** What the trial says of the next change, for the story; predictions come from recordings made in turn. */
    private String factors(RooflineReport now, Episodes trial, int decode) throws Exception {
        try (Loader loader = loader(trial, decode)) {
            Recording tried = Recording.of(loader, step, loader.batchesInMemory(), TRIAL_BATCHES);
            PipelineReplay replay = Objects.requireNonNull(now.evidence().replay());
            Change change = Change.asInTrial("materialized clips", replay.times(), tried.times());
            return String.format(
                    Locale.ROOT,
                    "In the trial a batch's decoding took 1/%.1f of the CPU time, its reading 1/%.1f.",
                    change.decodeFactor(),
                    change.readFactor());
        }
    }

    private void end(RooflineReport first, RooflineReport last) throws IOException {
        say(
                "%nGain in batches/s: predicted from recordings before each change, measured after it, %d times in turn:",
                rounds);
        say("  %-26s %13s   %-21s  %7s", "change", "predicted", "measured (extremes)", "off by");
        predictions.forEach(prediction -> out.println(prediction.text()));
        say(
                "%nFrom %.1f to %.1f batches/s: %.0f %% of the accelerator's roofline of %.1f. %s",
                first.batchesPerSecond(),
                last.batchesPerSecond(),
                100 * last.batchesPerSecond() / last.acceleratorRoofline(),
                last.acceleratorRoofline(),
                last.diagnosis().trainerBound()
                        ? "The accelerator is the lower roofline now: stop tuning the loader."
                        : "The data roofline is still the lower one here, and " + CaseText.lowest(last)
                                + " is what holds it down: this machine is too slow, or too busy, for a step of "
                                + Math.round(stepMillis) + " ms.");
        if (folder != null) {
            Files.writeString(
                    folder.resolve("predictions.json"),
                    JsonMapper.builder()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .build()
                            .writeValueAsString(predictions));
            say("%nReports: %s, one folder for each station. The second and the last, compared:", folder);
            out.print(Comparison.of(
                    place(2).resolve("report.json"), place(station).resolve("report.json")));
        }
        out.flush();
    }

    private Path place(int number) {
        return Objects.requireNonNull(folder).resolve("station-" + number);
    }

    private static String shortened(MaterializeReport report) {
        return String.format(
                Locale.ROOT,
                "materialized %d episode%s, %d frames, %.1f MiB, in %.1f s",
                report.written(),
                report.written() == 1 ? "" : "s",
                report.frames(),
                report.bytes() / 1048576.0,
                report.seconds());
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
        out.flush();
    }
}
