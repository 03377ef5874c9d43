package dev.penstock.decode;

import java.util.Arrays;

/**
 * The anchors of one episode: positions {@code start + k · step} of frames or truth records, without those that are no
 * sample. Kept as runs, so that an episode without gaps takes a few bytes whatever its length. Immutable.
 */
final class AnchorRuns {
    private final int step;
    /** First position of each run. */
    private final int[] starts;
    /** How many anchors stand before each run; one entry more than runs. */
    private final int[] before;

    private AnchorRuns(int step, int[] starts, int[] before) {
        this.step = step;
        this.starts = starts;
        this.before = before;
    }

    int count() {
        return before[before.length - 1];
    }

    /** Position of the {@code i}-th anchor: a frame's number in the reference clip, or a truth record's. */
    int position(int i) {
        int run = Arrays.binarySearch(before, 0, starts.length, i);
        if (run < 0) {
            run = -run - 2;
        }
        return starts[run] + (i - before[run]) * step;
    }

    /** Collects positions in ascending order, a multiple of {@code step} apart. */
    static final class Builder {
        private final int step;
        private int[] starts = new int[1];
        private int[] before = new int[2];
        private int runs;
        private int count;
        private long next = Long.MIN_VALUE;

        Builder(int step) {
            this.step = step;
        }

        void add(int position) {
            if (position != next) {
                if (runs == starts.length) {
                    starts = Arrays.copyOf(starts, runs * 2);
                    before = Arrays.copyOf(before, runs * 2 + 1);
                }
                starts[runs] = position;
                before[runs] = count;
                runs++;
            }
            count++;
            next = (long) position + step;
        }

        boolean isEmpty() {
            return count == 0;
        }

        AnchorRuns build() {
            int[] counts = Arrays.copyOf(before, runs + 1);
            counts[runs] = count;
            return new AnchorRuns(step, Arrays.copyOf(starts, runs), counts);
        }
    }
}
