package dev.penstock.arrow.artifact;

import dev.penstock.arrow.artifact.EpisodePart.FilePart;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What writing the first frames of one episode took: the measure for the rest.
 *
 * @param frames frames written, in all cameras
 * @param seconds how long that took on one thread
 * @param bytesOfFrame by camera
 * @param truthBytes of the episode
 */
record Trial(long frames, double seconds, Map<String, Double> bytesOfFrame, long truthBytes) {
    /** Frames of each clip that are enough for an estimate of sizes. */
    static final int SHORT = 16;

    /** Makes the trial in a folder, which it deletes; null when the episode turns out to be bad. */
    static @Nullable Trial of(
            MaterializeSettings settings, EpisodeWriter writer, EpisodePlan plan, Path folder, int most)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        EpisodePart part;
        try (EpisodeSweep sweep = MaterializeRun.open(settings, plan.episode())) {
            part = writer.write(sweep, plan.fingerprint(), folder, plan.folder(), most, () -> {});
        } catch (DatasetException | BlobException e) {
            return null;
        } finally {
            Durable.delete(folder);
        }
        return of(part, (System.nanoTime() - start) / 1e9);
    }

    static Trial of(EpisodePart part, double seconds) {
        Map<String, Double> bytesOfFrame = new HashMap<>();
        long clipBytes = 0;
        for (Map.Entry<String, EpisodePart.ClipPart> clip : part.cameras().entrySet()) {
            long bytes = 0;
            for (FilePart file : part.files()) {
                boolean its = file.name().equals(clip.getValue().clip())
                        || file.name().equals(clip.getValue().index());
                bytes += its ? file.bytes() : 0;
            }
            clipBytes += bytes;
            bytesOfFrame.put(clip.getKey(), (double) bytes / clip.getValue().frames());
        }
        return new Trial(part.frames(), seconds, bytesOfFrame, part.bytes() - clipBytes);
    }

    /** Bytes that these episodes will take. */
    long bytes(List<EpisodePlan> episodes) {
        double bytes = 0;
        for (EpisodePlan plan : episodes) {
            for (Map.Entry<String, Integer> camera : plan.frames().entrySet()) {
                bytes += camera.getValue() * bytesOfFrame.getOrDefault(camera.getKey(), 0.0);
            }
            bytes += truthBytes;
        }
        return (long) bytes;
    }
}
