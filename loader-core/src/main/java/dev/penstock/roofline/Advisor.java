package dev.penstock.roofline;

import dev.penstock.roofline.Advice.Gain;
import dev.penstock.roofline.Advice.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decision table: what was measured → what to do next.
 *
 * <p>Rows are tried in order, the accelerator's side first: tuning a loader for a batch that will change is lost work.
 * A row applies when its observation holds, and speaks only when the gain that it expects is more than the error of
 * that expectation. The last row is the one that says stop, and it speaks exactly when no other does. Pure functions of
 * the evidence.
 */
public final class Advisor {
    /** A gain below this is not worth a change. */
    static final double WORTHWHILE = 0.03;

    /** Decoding at training resolution from an artifact, against decoding the raw recording, until measured. */
    private static final double MATERIALIZED_DECODE = 8;

    /** Truth from Arrow columns, against parsing JSON, until measured. */
    private static final double ARROW_COLLATE = 20;

    private record Row(Kind kind, Function<Evidence, @Nullable Advice> advise) {}

    private static final List<Row> TABLE = List.of(
            new Row(Kind.GROW_BATCH, Advisor::growBatch),
            new Row(Kind.LOCK_BATCH, Advisor::lockBatch),
            new Row(Kind.FEWER_THREADS, Advisor::fewerThreads),
            new Row(Kind.DEEPER_PREFETCH, Advisor::deeperPrefetch),
            new Row(Kind.MORE_MEMORY, Advisor::moreMemory),
            new Row(Kind.RAISE_READ, Advisor::raiseRead),
            new Row(Kind.BRING_DATA_CLOSER, Advisor::bringDataCloser),
            new Row(Kind.RAISE_DECODE, Advisor::raiseDecode),
            new Row(Kind.RELIEVE_LOCK, Advisor::relieveLock),
            new Row(Kind.MATERIALIZE, Advisor::materialize),
            new Row(Kind.MOVE_TRUTH_TO_ARROW, Advisor::moveTruthToArrow));

    private Advisor() {}

    /** What to do next, the first thing first; never empty. */
    public static List<Advice> advise(Evidence evidence) {
        List<Advice> advice = new ArrayList<>();
        for (Row row : TABLE) {
            Advice spoken = row.advise().apply(evidence);
            if (spoken != null) {
                advice.add(spoken);
            }
        }
        if (advice.isEmpty()) {
            advice.add(stop(evidence));
        }
        return List.copyOf(advice);
    }

    private static @Nullable Advice growBatch(Evidence e) {
        BatchSizeReport batches = e.batches();
        if (batches == null || batches.best() <= e.batchSize()) {
            return null;
        }
        BatchSizeReport.Point now = batches.at(e.batchSize());
        if (now == null) {
            return null;
        }
        Gain gain = new Gain(batches.gainOver(e.batchSize()), now.spread());
        return speak(
                Kind.GROW_BATCH,
                f(
                        "on fake data, %d samples a batch give %.1f samples/s and %d give %.1f",
                        e.batchSize(), now.samplesPerSecond(), batches.best(), batches.samplesPerSecondAtBest()),
                "the accelerator's own ceiling is not reached; a loader tuned for this batch would be tuned again",
                f(".batchSize(%d)", batches.best()),
                f(
                        "knee at %.1f samples; step %.2f ms + %.3f ms a sample",
                        batches.knee(),
                        1e3 * batches.line().fixed(),
                        1e3 * batches.line().each()),
                gain);
    }

    private static @Nullable Advice lockBatch(Evidence e) {
        BatchSizeReport batches = e.batches();
        if (batches == null || !batches.hitMemory() || e.batchSize() < batches.smallestMiss()) {
            return null;
        }
        return new Advice(
                Kind.LOCK_BATCH,
                f("a batch of %d does not fit, %d does", batches.smallestMiss(), batches.largestFit()),
                "the run's batch passes the memory wall: it would fail on the accelerator",
                f(".batchSize(%d), then look at the wait again", batches.largestFit()),
                f("%d sizes measured", batches.points().size()),
                null);
    }

    private static @Nullable Advice fewerThreads(Evidence e) {
        if (!e.contends() || e.ledger() == null) {
            return null;
        }
        StallLedger.Interval contention =
                java.util.Objects.requireNonNull(e.ledger().parts().get(StallLedger.Part.CONTENTION));
        double total = e.ledger().total().estimate();
        double share = contention.estimate() / total;
        double error = (contention.high() - contention.low()) / 2 / total;
        return speak(
                Kind.FEWER_THREADS,
                f(
                        "the step takes %.1f %% longer while the loader runs, though its batches are there",
                        100
                                * contention.estimate()
                                / java.util.Objects.requireNonNull(
                                                e.ledger().parts().get(StallLedger.Part.COMPUTE))
                                        .estimate()),
                "the loader takes the trainer's cores; a timer around next() does not show it",
                e.settings().decodeThreads() > 1
                        ? f(
                                ".decodeConcurrency(%d), or run the loader on other cores (taskset, another process)",
                                e.settings().decodeThreads() - 1)
                        : "run the loader on other cores (taskset, another process), or materialize to make it cheaper",
                f(
                        "contention %.2f ms a step (%.2f to %.2f)",
                        contention.estimate() / 1e6, contention.low() / 1e6, contention.high() / 1e6),
                new Gain(share / (1 - Math.min(0.9, share)), error));
    }

    private static @Nullable Advice deeperPrefetch(Evidence e) {
        if (!e.waits() || !e.hasAmpleCapacity() || e.replay() == null) {
            return null;
        }
        int more = Math.max(4, 3 * e.settings().prefetch());
        Prediction prediction = e.replay().predict(Change.prefetch(more));
        return speak(
                Kind.DEEPER_PREFETCH,
                f(
                        "the trainer waits %.0f %% of its time, yet the pipeline can make %.1f batches/s and %.1f are needed",
                        100 * e.waitShare(), e.dataRoofline(), e.capacity().need()),
                "batches take unequal time; the prefetch runs dry between them",
                f(".prefetch(%d)", e.settings().prefetch() + more),
                evidence(prediction),
                gain(prediction));
    }

    private static @Nullable Advice moreMemory(Evidence e) {
        long total = e.awaited().total();
        if (!e.waits() || total == 0 || e.awaited().start() < total / 2 || e.replay() == null) {
            return null;
        }
        Prediction prediction = e.replay().predict(Change.prefetch(2));
        return speak(
                Kind.MORE_MEMORY,
                f(
                        "the awaited batches had not been started in %.0f %% of the wait",
                        100.0 * e.awaited().start() / total),
                "no batch memory was free: batches are retained, or the budget is short",
                "raise .memory(bytes) or .prefetch(n); close batches that were retained",
                evidence(prediction),
                gain(prediction));
    }

    private static @Nullable Advice raiseRead(Evidence e) {
        if (!e.waits() || cause(e) != Diagnosis.Cause.READ || readPlateaued(e)) {
            return null;
        }
        int threads = threadsFor(e, "read", e.settings().readThreads());
        Expected expected = expect(
                e, e.read(), threads, Change.readThreads(threads - e.settings().readThreads()));
        return expected == null
                ? null
                : speak(
                        Kind.RAISE_READ,
                        waitLine(e, "read"),
                        "bytes come too slowly for the stages behind, and requests in parallel still help",
                        f(".readConcurrency(%d)", threads),
                        expected.evidence(),
                        expected.gain());
    }

    private static @Nullable Advice bringDataCloser(Evidence e) {
        if (!e.waits() || cause(e) != Diagnosis.Cause.READ || !readPlateaued(e) || e.replay() == null) {
            return null;
        }
        Prediction prediction = e.replay().predict(Change.readFaster(10).named("reads from local disk"));
        return speak(
                Kind.BRING_DATA_CLOSER,
                waitLine(e, "read"),
                "more requests at once no longer help: the store or the network is the limit",
                "cache on local disk, or materialize to read fewer bytes: penstock materialize RAW ARTIFACT",
                evidence(prediction),
                gain(prediction));
    }

    private static @Nullable Advice raiseDecode(Evidence e) {
        if (!e.waits() || cause(e) != Diagnosis.Cause.DECODE) {
            return null;
        }
        int threads = threadsFor(e, "decode", e.settings().decodeThreads());
        if (threads <= e.settings().decodeThreads()) {
            return null;
        }
        Expected expected = expect(
                e,
                e.decode(),
                threads,
                Change.decodeThreads(threads - e.settings().decodeThreads()));
        return expected == null
                ? null
                : speak(
                        Kind.RAISE_DECODE,
                        waitLine(e, "decode"),
                        "the data roofline is too low at this batch, and more threads still raise it",
                        f(".decodeConcurrency(%d)", threads),
                        expected.evidence(),
                        expected.gain());
    }

    private static @Nullable Advice relieveLock(Evidence e) {
        ConcurrencyReport decode = e.decode();
        if (!e.waits() || decode == null || cause(e) != Diagnosis.Cause.LOCK) {
            return null;
        }
        LockWait lock = decode.locks().isEmpty()
                ? new LockWait("a lock", "the decoder", 0)
                : decode.locks().get(0);
        double gain = Math.min(e.capacity().need() / decode.best(), 1 / Math.max(0.1, 1 - decode.lockShare())) - 1;
        UslFit fit = java.util.Objects.requireNonNull(decode.fit());
        return speak(
                Kind.RELIEVE_LOCK,
                f(
                        "decode does not rise with threads, and its workers spend %.0f %% of their time waiting for a lock",
                        100 * decode.lockShare()),
                f("%s is held in %s by one worker at a time", lock.lock(), lock.where()),
                f("shorten what %s does under the lock, or give each decoder its own", lock.where()),
                f("contention σ = %.2f; Java Flight Recorder: %.0f ms waited", fit.sigma(), lock.nanos() / 1e6),
                new Gain(gain, Math.max(fit.error(), WORTHWHILE)));
    }

    private static @Nullable Advice materialize(Evidence e) {
        boolean decodeBound = switch (cause(e)) {
            case CORES, BANDWIDTH -> true;
            case LOCK, DECODE -> e.decode() != null && e.decode().hasPlateau();
            default -> false;
        };
        boolean heavy = e.capacity().slowestStage().equals("decode");
        if (!e.waits() || !decodeBound || !heavy || e.materialized() || e.replay() == null) {
            return null;
        }
        Prediction prediction = e.replay()
                .predict(Change.decodeFaster(MATERIALIZED_DECODE)
                        .and(Change.readFaster(2))
                        .named("materialized"));
        return speak(
                Kind.MATERIALIZE,
                waitLine(e, "decode")
                        + (e.decode() == null
                                ? ""
                                : f("; %d threads give all there is", e.decode().enough())),
                "each sample costs too much decoding: pay once in ETL instead of every epoch",
                "penstock materialize RAW ARTIFACT (Materializer), then open ARTIFACT with the same view",
                evidence(prediction),
                gain(prediction));
    }

    private static @Nullable Advice moveTruthToArrow(Evidence e) {
        if (!e.waits() || cause(e) != Diagnosis.Cause.COLLATE || e.replay() == null) {
            return null;
        }
        Prediction prediction =
                e.replay().predict(Change.collateFaster(ARROW_COLLATE).named("truth in Arrow"));
        CapacityModel before = e.before();
        return speak(
                Kind.MOVE_TRUTH_TO_ARROW,
                waitLine(e, "collate"),
                before != null && !before.slowestStage().equals("collate")
                        ? "the bottleneck moved: " + before.slowestStage() + " is cheap now and truth shows"
                        : "gathering truth costs more than pixels do",
                "penstock materialize RAW ARTIFACT: it writes the truth as Arrow columns; or write it alone (ArrowTruthWriter)",
                evidence(prediction),
                gain(prediction));
    }

    private static Advice stop(Evidence e) {
        String flat = e.decode() != null && e.decode().hasPlateau()
                ? f("; from %d decode threads on nothing changes", e.decode().enough())
                : "";
        return new Advice(
                Kind.STOP,
                f("the trainer waits %.1f %% of its time%s", 100 * e.waitShare(), flat),
                e.waits()
                        ? "no change that the model knows promises more than its own error"
                        : "the accelerator is the lower ceiling",
                "stop tuning the loader; look at accelerator memory, batch strategy, gradient accumulation and"
                        + " distributed synchronization",
                f(
                        "data roofline %.1f batches/s, the trainer could take %.1f",
                        e.dataRoofline(), e.capacity().need()),
                null);
    }

    private record Expected(Gain gain, String evidence) {}

    /** From the sweep where it has that number, else from the replay. */
    private static @Nullable Expected expect(
            Evidence e, @Nullable ConcurrencyReport sweep, int threads, Change change) {
        int now = change.decodeThreads() == 0
                ? e.settings().readThreads()
                : e.settings().decodeThreads();
        ConcurrencyReport.Point from = sweep == null ? null : sweep.at(now);
        ConcurrencyReport.Point to = sweep == null ? null : sweep.at(threads);
        if (sweep != null && from != null && to != null) {
            double error = java.util.Objects.requireNonNull(sweep.fit()).error();
            return new Expected(
                    new Gain(to.training() / from.training() - 1, error),
                    f(
                            "measured: %.1f batches/s at %d threads, %.1f at %d",
                            from.training(), now, to.training(), threads));
        }
        if (e.replay() == null) {
            return null;
        }
        Prediction prediction = e.replay().predict(change);
        return new Expected(gain(prediction), evidence(prediction));
    }

    /** The least number of threads that meets the need: measured where a sweep is there, by capacity elsewhere. */
    private static int threadsFor(Evidence e, String stage, int now) {
        ConcurrencyReport sweep = stage.equals("read") ? e.read() : e.decode();
        if (sweep != null && !sweep.points().isEmpty()) {
            for (ConcurrencyReport.Point point : sweep.points()) {
                if (point.threads() > now && point.drained() >= e.capacity().need()) {
                    return Math.min(point.threads(), Math.max(now + 1, sweep.enough()));
                }
            }
            return Math.max(sweep.enough(), sweep.hasPlateau() ? 0 : now + 1);
        }
        double service = e.capacity().stage(stage).serviceSeconds();
        int needed = (int) Math.ceil(e.capacity().need() * service * 1.1);
        int most = stage.equals("read") ? 4 * now : Math.max(now, e.settings().cores());
        return Math.max(now + 1, Math.min(needed, most));
    }

    private static boolean readPlateaued(Evidence e) {
        return e.read() != null
                && (e.read().hasPlateau() || e.read().fallsPastPeak())
                && e.read().enough() <= e.settings().readThreads();
    }

    private static Diagnosis.Cause cause(Evidence e) {
        return e.diagnosis().cause();
    }

    private static @Nullable Advice speak(
            Kind kind, String observation, String interpretation, String nextStep, String evidence, Gain gain) {
        return gain.expected() > Math.max(WORTHWHILE, gain.error())
                ? new Advice(kind, observation, interpretation, nextStep, evidence, gain)
                : null;
    }

    private static Gain gain(Prediction prediction) {
        return new Gain(prediction.gain(), prediction.error());
    }

    private static String waitLine(Evidence e, String stage) {
        return f(
                "the trainer waits %.0f %% of its time; %s has the lowest capacity, %.1f batches/s of the %.1f needed",
                100 * e.waitShare(),
                stage,
                e.capacity().stage(stage).capacity(),
                e.capacity().need());
    }

    private static String evidence(Prediction p) {
        return f(
                "replay of \"%s\": %.1f batches/s, wait %.0f %%",
                p.change().label(), p.batchesPerSecond(), 100 * p.waitShare());
    }

    private static String f(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
