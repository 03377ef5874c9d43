package dev.penstock.decode;

import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.View;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the anchors of one episode: which frames or truth records are samples, why the others are none, and the most
 * bytes that a window of theirs reads. Used once, by one thread.
 */
final class AnchorScan {
    private final View view;
    private final WindowRule[] rules;
    private final @Nullable CameraClip master;
    private final CameraClip[] clips;
    private final @Nullable TruthBinding truth;
    private final ReadBound[] bounds;
    /** By column and frame of the reference: 0 not known yet, else 1 + state. Columns aligned by time only. */
    private final byte[][] aligned;

    private final WindowRule.Found found = new WindowRule.Found();
    private final Drops drops;
    private long largestRead;

    /**
     * @param master the reference camera's clip; null in a view without video
     * @param clips by video column
     * @param bounds of those clips
     * @param truth the episode's truth; null where the view takes none
     */
    AnchorScan(
            View view,
            WindowRule[] rules,
            @Nullable CameraClip master,
            CameraClip[] clips,
            ReadBound[] bounds,
            @Nullable TruthBinding truth) {
        this.view = view;
        this.rules = rules;
        this.master = master;
        this.clips = clips;
        this.truth = truth;
        this.bounds = bounds;
        this.aligned = new byte[clips.length][];
        for (int c = 0; c < clips.length; c++) {
            boolean alignedByFrame = !rules[c].isReference() && rules[c].byFrame();
            aligned[c] = new byte[alignedByFrame && master != null ? master.frames() : 0];
        }
        this.drops = new Drops(clips.length);
    }

    /** Every k-th frame of the reference camera, from the first that is a sample. */
    AnchorRuns atFrames(CameraClip reference) {
        AnchorRuns.Builder runs = new AnchorRuns.Builder(view.anchors().every());
        int frame = reference.first();
        while (frame < reference.end()) {
            boolean sample = isSample(frame, reference.secondsOf(frame));
            if (sample) {
                runs.add(frame);
            }
            frame += runs.isEmpty() ? 1 : view.anchors().every();
        }
        return runs.build();
    }

    /** Every k-th truth record, from the first that is a sample. */
    AnchorRuns atTruth(int records, IntToDoubleFunction secondsOf) {
        AnchorRuns.Builder runs = new AnchorRuns.Builder(view.anchors().every());
        int record = 0;
        while (record < records) {
            double seconds = secondsOf.applyAsDouble(record);
            int frame = master == null ? 0 : master.onScreen(seconds);
            if (frame < 0) {
                drops.outsideReference++;
            } else if (isSample(frame, seconds)) {
                runs.add(record);
            }
            record += runs.isEmpty() ? 1 : view.anchors().every();
        }
        return runs.build();
    }

    Drops drops() {
        return drops;
    }

    /** The most bytes that one window of one column reads. */
    long largestRead() {
        return largestRead;
    }

    private boolean isSample(int frame, double seconds) {
        for (int c = 0; c < clips.length; c++) {
            int state = stateOf(c, frame, seconds);
            if (state == WindowRule.GAP) {
                drops.gap[c]++;
                return false;
            }
            if (state == WindowRule.PAST_END && view.edges() == EdgeRule.DROP) {
                drops.pastEnd[c]++;
                return false;
            }
        }
        String lack = lacksTruth(frame, seconds);
        if (lack != null) {
            drops.firstLack = drops.withoutTruth == 0 ? lack : drops.firstLack;
            drops.withoutTruth++;
            return false;
        }
        for (int c = 0; c < clips.length; c++) {
            largestRead = Math.max(largestRead, bytesOf(c, frame, seconds));
        }
        return true;
    }

    private @Nullable String lacksTruth(int frame, double seconds) {
        if (truth == null) {
            return null;
        }
        return truth.lacks(seconds, offset -> BoundEpisode.frameSeconds(master, frame + offset, view.edges()));
    }

    /** The worst state of the window's frames. */
    private int stateOf(int c, int frame, double seconds) {
        int worst = WindowRule.WHOLE;
        for (int i = 0; i < rules[c].length() && worst != WindowRule.GAP; i++) {
            worst = Math.max(worst, stateOf(c, i, frame, seconds));
        }
        return worst;
    }

    private int stateOf(int c, int i, int frame, double seconds) {
        CameraClip reference = master == null ? clips[c] : master;
        byte[] known = aligned[c];
        if (known.length == 0) {
            rules[c].find(i, frame, seconds, reference, clips[c], found);
            return found.state();
        }
        int at = frame + rules[c].offset(i) - reference.first();
        if (at < 0 || at >= known.length) {
            rules[c].find(i, frame, seconds, reference, clips[c], found);
            return found.state();
        }
        if (known[at] == 0) {
            rules[c].find(i, frame, seconds, reference, clips[c], found);
            known[at] = (byte) (1 + found.state());
        }
        return known[at] - 1;
    }

    private long bytesOf(int c, int frame, double seconds) {
        CameraClip reference = master == null ? clips[c] : master;
        rules[c].find(0, frame, seconds, reference, clips[c], found);
        int first = found.frame();
        rules[c].find(rules[c].length() - 1, frame, seconds, reference, clips[c], found);
        return bounds[c].of(first, found.frame());
    }

    /** Why positions of an episode are no samples. Each is counted once, under the first reason that is met. */
    static final class Drops {
        private final long[] pastEnd;
        private final long[] gap;
        private long withoutTruth;
        private long outsideReference;
        private String firstLack = "";

        private Drops(int columns) {
            pastEnd = new long[columns];
            gap = new long[columns];
        }

        /** Column {@code c}'s window reaches past its clip's ends. */
        long pastEnd(int c) {
            return pastEnd[c];
        }

        /** Column {@code c}'s clip has no frame within the tolerance. */
        long gap(int c) {
            return gap[c];
        }

        /** The column that most positions were dropped for, or -1. */
        int worstColumn() {
            int worst = -1;
            long most = 0;
            for (int c = 0; c < pastEnd.length; c++) {
                if (pastEnd[c] + gap[c] > most) {
                    most = pastEnd[c] + gap[c];
                    worst = c;
                }
            }
            return worst;
        }

        /** No truth within the tolerance. */
        long withoutTruth() {
            return withoutTruth;
        }

        /** What the first of those lacked. */
        String firstLack() {
            return firstLack;
        }

        /** Truth records outside the reference camera's clip. */
        long outsideReference() {
            return outsideReference;
        }

        @Override
        public String toString() {
            return "dropped past a clip's end " + Arrays.stream(pastEnd).sum() + ", in a gap "
                    + Arrays.stream(gap).sum() + ", without truth " + withoutTruth + ", outside the reference clip "
                    + outsideReference;
        }
    }
}
