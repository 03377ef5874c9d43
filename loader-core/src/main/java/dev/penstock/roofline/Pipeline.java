package dev.penstock.roofline;

import dev.penstock.data.Batch;
import dev.penstock.probe.Awaited;
import dev.penstock.probe.ServiceRecorder;
import dev.penstock.probe.StageStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running pipeline as the sweeps see it: an endless stream of batches, one epoch after another, with its counters and
 * knobs. Used by one thread at a time.
 */
interface Pipeline {

    /** The next batch, borrowed until the following call. */
    Batch next();

    /** Totals since the pipeline was made; never smaller than at an earlier call. */
    Counters counters();

    /** The queues now. */
    Depths depths();

    /** Who is told of every piece of work from now on, and of the trainer's waits. Null: nobody. */
    void record(@Nullable ServiceRecorder recorder);

    /** Leaves the present epoch and does no work until the next {@link #next()}. */
    void idle();

    /** The settings now. */
    PipelineSettings settings();

    /** Changes the number of decode workers; takes effect within a few batches. */
    void setDecodeConcurrency(int threads);

    /** Changes the number of read workers; takes effect within a few batches. */
    void setReadConcurrency(int threads);

    /**
     * Pieces or batches that wait before a stage.
     *
     * @param read pieces to be read
     * @param decode pieces to be decoded
     * @param collate batches to be collated
     * @param ready batches for the trainer
     */
    record Depths(int read, int decode, int collate, int ready) {}

    /**
     * Totals.
     *
     * @param stages read, decode, collate
     * @param awaited what the awaited batches were doing
     */
    record Counters(List<StageStats> stages, Awaited awaited) {

        public Counters {
            stages = List.copyOf(stages);
        }

        /** What was added since {@code earlier}. */
        Counters since(Counters earlier) {
            List<StageStats> deltas = new java.util.ArrayList<>();
            for (StageStats now : stages) {
                StageStats before = earlier.stages.stream()
                        .filter(stage -> stage.stage().equals(now.stage()))
                        .findFirst()
                        .orElse(null);
                deltas.add(before == null ? now : minus(now, before));
            }
            Awaited a = awaited;
            Awaited b = earlier.awaited;
            return new Counters(
                    deltas,
                    new Awaited(
                            a.start() - b.start(),
                            a.read() - b.read(),
                            a.decode() - b.decode(),
                            a.collate() - b.collate(),
                            a.handOff() - b.handOff()));
        }

        /** These totals and those of another time. */
        Counters plus(Counters other) {
            List<StageStats> sums = new java.util.ArrayList<>();
            for (StageStats now : stages) {
                StageStats more = other.stages.stream()
                        .filter(stage -> stage.stage().equals(now.stage()))
                        .findFirst()
                        .orElse(null);
                sums.add(more == null ? now : sum(now, more, 1));
            }
            Awaited a = awaited;
            Awaited b = other.awaited;
            return new Counters(
                    sums,
                    new Awaited(
                            a.start() + b.start(),
                            a.read() + b.read(),
                            a.decode() + b.decode(),
                            a.collate() + b.collate(),
                            a.handOff() + b.handOff()));
        }

        private static StageStats minus(StageStats now, StageStats before) {
            return sum(now, before, -1);
        }

        private static StageStats sum(StageStats now, StageStats other, int sign) {
            return new StageStats(
                    now.stage(),
                    now.threads(),
                    now.items() + sign * other.items(),
                    now.batches() + sign * other.batches(),
                    now.busyNanos() + sign * other.busyNanos(),
                    now.cpuNanos() < 0 ? -1 : now.cpuNanos() + sign * other.cpuNanos(),
                    now.takeWaitNanos() + sign * other.takeWaitNanos(),
                    now.putWaitNanos() + sign * other.putWaitNanos(),
                    now.queueDepth(),
                    now.queueCapacity(),
                    now.bytes() + sign * other.bytes());
        }
    }
}
