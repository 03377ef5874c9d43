package dev.penstock.decode;

/**
 * Turns a sample's number into its episode and the frames of its windows. Owned by one thread or task at a time;
 * allocates nothing.
 */
final class SampleLocator {
    private final SampleIndex index;
    private final WindowRule[] rules;
    private final WindowRule.Found found = new WindowRule.Found();
    private BoundEpisode episode;
    private double anchorSeconds;
    private int anchorFrame;

    SampleLocator(SampleIndex index, WindowRule[] rules) {
        this.index = index;
        this.rules = rules;
        this.episode = index.episode(0);
    }

    /** Goes to a sample; the other methods are about the last one. */
    SampleLocator seek(long sample) {
        episode = index.episode(index.blockOf(sample));
        anchorSeconds = index.seconds(sample);
        anchorFrame = index.frame(sample);
        return this;
    }

    /** The clip of a video column. */
    CameraClip clip(int column) {
        return episode.clip(column);
    }

    /** Frame {@code i} of a video column's window. */
    WindowRule.Found find(int column, int i) {
        CameraClip own = episode.clip(column);
        CameraClip master = episode.master();
        rules[column].find(i, anchorFrame, anchorSeconds, master == null ? own : master, own, found);
        return found;
    }

    /** Puts the frame numbers of a video column's window into {@code frames}, which has room for them. */
    int frames(int column, int[] frames) {
        int length = rules[column].length();
        for (int i = 0; i < length; i++) {
            frames[i] = find(column, i).frame();
        }
        return length;
    }
}
