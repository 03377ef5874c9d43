package dev.penstock.decode;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.decode.truth.TruthField;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a dataset holds: for the command {@code inspect} and for choosing a view. Immutable.
 *
 * @param dataset its address
 * @param episodes number of episodes
 * @param splits number of episodes by split; those without one under {@code ""}
 * @param cameras by camera name
 * @param files number of video files, each counted once
 * @param bytes of those files
 * @param frames of all cameras of all episodes
 * @param seconds total length of the episodes; of each its longest camera
 * @param truth the fields of the truth, empty without any
 * @param episodesWithTruth how many episodes have truth
 * @param episodeList each episode
 * @param missing the absent files, with the episode that needs each; only where they are allowed to be absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DatasetSummary(
        String dataset,
        int episodes,
        Map<String, Integer> splits,
        Map<String, Camera> cameras,
        int files,
        long bytes,
        long frames,
        double seconds,
        List<TruthField> truth,
        int episodesWithTruth,
        List<OneEpisode> episodeList,
        List<String> missing) {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Least, middle and greatest of a figure. */
    public record Range(double min, double median, double max) {}

    /**
     * One camera over all episodes that have it.
     *
     * @param episodes how many episodes have it
     * @param frames frames in all of them
     * @param seconds time in all of them
     * @param framesPerSecond of each clip: frames by duration
     * @param sizes coded width × height, and how many clips have it
     * @param codecs FFmpeg's codec names, and how many clips have each
     * @param keyDistance packets from one key frame to the next, over all clips: what a random access may have to decode
     * @param bitsPerSecond of each file, all its streams together
     */
    public record Camera(
            int episodes,
            long frames,
            double seconds,
            Range framesPerSecond,
            Map<String, Integer> sizes,
            Map<String, Integer> codecs,
            Range keyDistance,
            Range bitsPerSecond) {}

    /**
     * One episode.
     *
     * @param id its id
     * @param split its split, or null
     * @param seconds its longest camera
     * @param frames frames by camera
     * @param truthRecords records with a time; null without truth
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record OneEpisode(
            String id,
            @Nullable String split,
            double seconds,
            Map<String, Integer> frames,
            @Nullable Integer truthRecords) {}

    /** As JSON. */
    public String toJson() {
        return JSON.writeValueAsString(this);
    }
}
