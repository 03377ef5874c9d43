package dev.penstock.arrow.artifact;

/** Hears how far a {@link Materializer} is. Calls come from its threads, never two at once; they must be quick. */
@FunctionalInterface
public interface MaterializeProgress {
    /** Hears nothing. */
    MaterializeProgress NONE = (frames, allFrames, episodes, allEpisodes) -> {};

    /**
     * Something was written.
     *
     * @param frames frames written by this run, in all cameras
     * @param allFrames frames that this run has to write
     * @param episodes episodes finished by this run
     * @param allEpisodes episodes that this run has to write
     */
    void wrote(long frames, long allFrames, int episodes, int allEpisodes);
}
