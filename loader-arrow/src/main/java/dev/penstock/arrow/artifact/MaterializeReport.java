package dev.penstock.arrow.artifact;

import java.util.Locale;
import java.util.Map;

/**
 * What a run of {@link Materializer} did. Immutable.
 *
 * @param target the artifact
 * @param written episodes that were written
 * @param kept episodes that were there already
 * @param dropped episodes that are no longer in the source and were taken out
 * @param bad episodes that were left out, and why
 * @param samples samples of the view in the artifact
 * @param frames frames that were written
 * @param bytes size of the artifact
 * @param lowestPsnr lowest PSNR of the frames that were compared, in dB; NaN where nothing was lost or compared
 * @param seconds how long it took
 */
public record MaterializeReport(
        String target,
        int written,
        int kept,
        int dropped,
        Map<String, String> bad,
        long samples,
        long frames,
        long bytes,
        double lowestPsnr,
        double seconds) {

    /** One line for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s: %d episodes written, %d kept, %d dropped, %d bad; %d samples, %.1f MiB; %d frames in %.1f s"
                        + " (%.0f a second)",
                target,
                written,
                kept,
                dropped,
                bad.size(),
                samples,
                bytes / 1048576.0,
                frames,
                seconds,
                seconds > 0 ? frames / seconds : 0));
        if (!Double.isNaN(lowestPsnr)) {
            text.append(String.format(Locale.ROOT, "; lowest PSNR %.1f dB", lowestPsnr));
        }
        return text.toString();
    }
}
