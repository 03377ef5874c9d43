package dev.penstock.arrow.artifact;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.decode.truth.TruthField;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One episode of an artifact: what its folder holds. Stands in the folder as {@code part.json} and in the manifest.
 *
 * @param id the episode's id
 * @param folder its folder, relative to the artifact's
 * @param fingerprint of the source's episode
 * @param split the source's
 * @param metadata the source's
 * @param cameras its clips
 * @param truth its truth, or null
 * @param files every file of the folder but {@code part.json}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EpisodePart(
        String id,
        String folder,
        String fingerprint,
        @Nullable String split,
        Map<String, Object> metadata,
        Map<String, ClipPart> cameras,
        @Nullable TruthPart truth,
        List<FilePart> files) {

    static final String FILE = "part.json";

    /**
     * @param clip file name
     * @param index file name of its index
     * @param from seconds of the container at which the episode's clock is 0, or null
     * @param width of the pictures
     * @param height of the pictures
     * @param frames number of frames
     * @param psnr lowest of some frames against the pictures before encoding, in dB over R, G and B; null: no loss
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ClipPart(
            String clip,
            String index,
            @Nullable Double from,
            int width,
            int height,
            int frames,
            @Nullable Double psnr) {}

    /**
     * @param file name of the first file, which names any others
     * @param records of all its lists
     * @param fields of all its lists
     * @param rounded names of the fields that stand there exactly and as float32 too; null where an older library wrote
     *     it, and all are exact only
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TruthPart(
            String file,
            long records,
            List<TruthField> fields,
            @Nullable List<String> rounded) {}

    /**
     * @param name file name
     * @param bytes size
     * @param sha256 of the content
     */
    record FilePart(String name, long bytes, String sha256) {}

    /** The same with what the source says of the episode now. */
    EpisodePart described(@Nullable String newSplit, Map<String, Object> newMetadata) {
        return new EpisodePart(id, folder, fingerprint, newSplit, newMetadata, cameras, truth, files);
    }

    long bytes() {
        return files.stream().mapToLong(FilePart::bytes).sum();
    }

    long frames() {
        return cameras.values().stream().mapToLong(ClipPart::frames).sum();
    }

    String toJson() {
        return Manifest.JSON.writeValueAsString(this);
    }
}
