package dev.penstock.arrow.artifact;

import java.util.Locale;
import java.util.Map;

/**
 * What a {@link Materializer} expects of its work, from writing one episode. Immutable.
 *
 * @param episodes episodes to write
 * @param bad episodes that can't be written, and why
 * @param frames frames to write, in all cameras
 * @param samples samples of the view
 * @param sourceBytes size of the source's clips
 * @param bytes expected size of the artifact
 * @param seconds expected time, on as many threads as it was told and this machine has cores
 * @param measuredOn the episode that was written
 * @param sourceWindowMillis mean time to decode a window of that episode's source on one thread
 * @param artifactWindowMillis the same from what was written
 */
public record MaterializePlan(
        int episodes,
        Map<String, String> bad,
        long frames,
        long samples,
        long sourceBytes,
        long bytes,
        double seconds,
        String measuredOn,
        double sourceWindowMillis,
        double artifactWindowMillis) {

    /** How many times cheaper decoding a window becomes. */
    public double speedUp() {
        return sourceWindowMillis / artifactWindowMillis;
    }

    /** A few lines for people. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "%d episodes, %d bad; %d frames, %d samples%n"
                        + "size      source clips %.1f MiB, artifact about %.1f MiB%n"
                        + "time      about %.0f s%n"
                        + "decoding  %.2f ms a window now, %.2f ms from the artifact: %.1fx cheaper%n"
                        + "measured on episode '%s'; nothing was written to the target",
                episodes,
                bad.size(),
                frames,
                samples,
                sourceBytes / 1048576.0,
                bytes / 1048576.0,
                seconds,
                sourceWindowMillis,
                artifactWindowMillis,
                speedUp(),
                measuredOn);
    }
}
