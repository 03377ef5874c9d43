package dev.penstock.engine;

import dev.penstock.probe.TuningStep;
import dev.penstock.probe.TuningStep.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds read and decode concurrency by hill climbing, one worker at a time. A pure controller: the same measurements give
 * the same decisions; it knows no clock and no thread. Not thread-safe.
 *
 * <p>What it makes small is the time of a batch as the trainer sees it, wait plus step, so that workers that slow the
 * trainer's own step count against themselves. Each setting is measured over {@value #MEASURED} intervals (median; the
 * first interval after a change is left out, it holds batches of the setting before). Half their range is the noise,
 * at least 1 %. A trial is one more worker at the stage of the lower capacity, then at the other, then at both (two
 * stages of equal capacity gain only together). A trial that gains more than the noise is kept and the search goes on
 * from there; another is taken back. It stops when the trainer waits less than 1 % or no trial is left.
 */
public final class Autotuner {
    private static final int MEASURED = 3;
    private static final double SMALL_WAIT = 0.01;
    private static final double LEAST_NOISE = 0.01;

    /**
     * What it may not pass.
     *
     * @param mostRead read workers
     * @param mostDecode decode workers
     * @param mostCpuShare share of the cores above which no decode worker is added
     */
    public record Limits(int mostRead, int mostDecode, double mostCpuShare) {}

    /**
     * What was seen over one interval.
     *
     * @param batches delivered, at least 1
     * @param waitNanos the trainer's waits
     * @param stepNanos the trainer's steps
     * @param readCapacity batches a second that the read workers could do
     * @param decodeCapacity batches a second that the decode workers could do
     * @param cpuShare CPU time of the loader's workers ÷ (interval × cores)
     * @param freeBytes memory under the cap that is not taken
     * @param bytesPerDecoder memory that one more decode worker takes
     */
    public record Interval(
            long batches,
            long waitNanos,
            long stepNanos,
            double readCapacity,
            double decodeCapacity,
            double cpuShare,
            long freeBytes,
            long bytesPerDecoder) {
        double secondsPerBatch() {
            return (waitNanos + stepNanos) / 1e9 / batches;
        }
    }

    private enum Move {
        READ(1, 0),
        DECODE(0, 1),
        BOTH(1, 1);

        private final int read;
        private final int decode;

        Move(int read, int decode) {
            this.read = read;
            this.decode = decode;
        }
    }

    private record Measurement(int read, int decode, double seconds, double noise, double waitShare, Interval last) {}

    private final Limits limits;
    private final List<Interval> intervals = new ArrayList<>();
    private final Set<Move> failed = EnumSet.noneOf(Move.class);
    private int read;
    private int decode;
    private boolean settling = true;
    private boolean stopped;
    private int decisions;
    private @Nullable Measurement best;
    private @Nullable Move trial;

    /** Starts from a setting that is running. */
    public Autotuner(Limits limits, int read, int decode) {
        this.limits = limits;
        this.read = read;
        this.decode = decode;
    }

    /** Read workers that there should be now. */
    public int read() {
        return read;
    }

    /** Decode workers that there should be now. */
    public int decode() {
        return decode;
    }

    /** Whether the search is over. */
    public boolean stopped() {
        return stopped;
    }

    /** Takes in one interval; gives the decisions that follow from it, mostly none. */
    public List<TuningStep> next(Interval interval) {
        if (stopped) {
            return List.of();
        }
        if (settling) {
            settling = false;
            return List.of();
        }
        intervals.add(interval);
        if (intervals.size() < MEASURED) {
            return List.of();
        }
        Measurement now = measured();
        intervals.clear();
        List<TuningStep> steps = new ArrayList<>();
        Measurement before = best;
        Move tried = trial;
        if (before == null || tried == null) {
            best = now;
        } else {
            judge(before, now, tried, steps);
        }
        choose(steps);
        return steps;
    }

    private void judge(Measurement before, Measurement now, Move tried, List<TuningStep> steps) {
        double gain = 1 - now.seconds / before.seconds;
        double noise = Math.max(before.noise, now.noise);
        String evidence = format(
                "%.2f ms a batch against %.2f: gain %.1f %%, noise %.1f %%",
                now.seconds * 1e3, before.seconds * 1e3, 100 * gain, 100 * noise);
        if (gain > noise) {
            best = now;
            failed.clear();
            steps.add(step(Action.KEEP, now, evidence));
        } else {
            read = before.read;
            decode = before.decode;
            failed.add(tried);
            settling = true;
            steps.add(step(Action.STEP_BACK, now, evidence));
        }
        trial = null;
    }

    private void choose(List<TuningStep> steps) {
        Measurement from = java.util.Objects.requireNonNull(best);
        if (from.waitShare < SMALL_WAIT) {
            stop(steps, from, format("the trainer waits %.2f %%, under 1 %%", 100 * from.waitShare));
            return;
        }
        StringBuilder limited = new StringBuilder();
        for (Move move : order(from.last)) {
            if (failed.contains(move)) {
                continue;
            }
            String limit = limit(move, from.last);
            if (limit == null) {
                trial = move;
                read += move.read;
                decode += move.decode;
                settling = true;
                steps.add(step(
                        Action.TRY,
                        from,
                        format(
                                "the trainer waits %.1f %%; read could do %.1f batches/s, decode %.1f",
                                100 * from.waitShare, from.last.readCapacity, from.last.decodeCapacity)));
                return;
            }
            if (limited.indexOf(limit) < 0) {
                limited.append("; ").append(limit);
            }
        }
        stop(
                steps,
                from,
                (failed.isEmpty() ? "no trial is allowed" : "no further worker gains more than the noise") + limited);
    }

    private void stop(List<TuningStep> steps, Measurement from, String evidence) {
        stopped = true;
        steps.add(step(Action.STOP, from, evidence));
    }

    private static List<Move> order(Interval seen) {
        return seen.readCapacity < seen.decodeCapacity
                ? List.of(Move.READ, Move.DECODE, Move.BOTH)
                : List.of(Move.DECODE, Move.READ, Move.BOTH);
    }

    /** Why a move is not allowed, or null. */
    private @Nullable String limit(Move move, Interval seen) {
        if (read + move.read > limits.mostRead) {
            return "read is limited to " + limits.mostRead;
        }
        if (move.decode == 0) {
            return null;
        }
        if (decode + move.decode > limits.mostDecode) {
            return "decode is limited to " + limits.mostDecode;
        }
        if (seen.cpuShare >= limits.mostCpuShare) {
            return format(
                    "the loader uses %.0f %% of the cores, limited to %.0f %%",
                    100 * seen.cpuShare, 100 * limits.mostCpuShare);
        }
        if (seen.freeBytes < seen.bytesPerDecoder) {
            return format("memory has %d bytes free, another decoder needs %d", seen.freeBytes, seen.bytesPerDecoder);
        }
        return null;
    }

    private Measurement measured() {
        double[] seconds =
                intervals.stream().mapToDouble(Interval::secondsPerBatch).toArray();
        Arrays.sort(seconds);
        double median = seconds[MEASURED / 2];
        double noise = Math.max(LEAST_NOISE, (seconds[MEASURED - 1] - seconds[0]) / 2 / median);
        double wait = intervals.stream().mapToDouble(Interval::waitNanos).sum();
        double step = intervals.stream().mapToDouble(Interval::stepNanos).sum();
        return new Measurement(read, decode, median, noise, wait / (wait + step), intervals.get(MEASURED - 1));
    }

    private TuningStep step(Action action, Measurement on, String evidence) {
        return new TuningStep(++decisions, action, read, decode, on.seconds * 1e3, on.waitShare, evidence);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
