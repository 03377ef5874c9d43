package dev.penstock.arrow.artifact;

import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an episode before it is written.
 *
 * @param fingerprint of its content
 * @param samples that the view has in it
 * @param folder of its part
 * @param frames by camera
 * @param need off-heap bytes that writing it takes
 * @param bad why it can't be written, or null
 */
record EpisodePlan(
        Episode episode,
        String fingerprint,
        long samples,
        String folder,
        Map<String, Integer> frames,
        long need,
        @Nullable String bad) {

    /**
     * Looks at every episode of the source.
     *
     * @throws DatasetException when one needs more memory than there may be
     */
    static List<EpisodePlan> all(MaterializeSettings settings, String key, EpisodeWriter writer)
            throws IOException, InterruptedException {
        return new WorkThreads(settings.threads())
                .each(settings.dataset().episodes(), episode -> of(episode, settings, key, writer));
    }

    private static EpisodePlan of(Episode episode, MaterializeSettings settings, String key, EpisodeWriter writer)
            throws IOException {
        EpisodePlan plan;
        try (EpisodeSweep sweep = MaterializeRun.open(settings, episode)) {
            plan = of(sweep, settings, key, writer);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return bad(episode, String.valueOf(e.getMessage()));
        }
        if (plan.need() > settings.memory()) {
            throw new DatasetException("episode '" + episode.id() + "': writing it takes about " + plan.need()
                    + " bytes of memory, the cap is " + settings.memory() + "; raise the memory (--memory)");
        }
        return plan;
    }

    private static EpisodePlan bad(Episode episode, String reason) {
        return new EpisodePlan(episode, "", 0, "", Map.of(), 0, reason);
    }

    private static EpisodePlan of(EpisodeSweep sweep, MaterializeSettings settings, String key, EpisodeWriter writer)
            throws IOException {
        String fingerprint = sweep.fingerprint();
        Map<String, Integer> frames = new LinkedHashMap<>();
        for (Map.Entry<String, ClipSweep> clip : sweep.clips().entrySet()) {
            frames.put(clip.getKey(), clip.getValue().frames());
        }
        return new EpisodePlan(
                sweep.episode(),
                fingerprint,
                sweep.samples(settings.view()),
                ArtifactTarget.EPISODES + "/" + Names.folder(sweep.episode().id(), fingerprint, key),
                frames,
                writer.need(sweep),
                null);
    }

    long allFrames() {
        return frames.values().stream().mapToLong(Integer::longValue).sum();
    }
}
