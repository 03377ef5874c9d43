package dev.penstock.arrow.artifact;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.View;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an artifact holds: {@code manifest.json}. A pure function of the source's content, view, encoding and this
 * library, so two runs write the same bytes.
 *
 * @param format {@value #FORMAT}
 * @param version of the layout
 * @param library version of this library
 * @param view the view that it was made for
 * @param encoding how clips were written
 * @param pictures what was done to each camera's pictures
 * @param source SHA-256 over the episodes' fingerprints
 * @param totals over all episodes
 * @param episodes in the source's order
 * @param bad episodes that were left out, and why
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Manifest(
        String format,
        int version,
        String library,
        View view,
        ArtifactEncoding encoding,
        Map<String, PictureRule> pictures,
        String source,
        Totals totals,
        List<Entry> episodes,
        List<Bad> bad) {

    static final String FILE = "manifest.json";
    static final String FORMAT = "penstock-artifact";
    static final int VERSION = 1;

    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /**
     * @param samples of the view
     * @param part what its folder holds
     */
    record Entry(long samples, EpisodePart part) {}

    /**
     * @param id of the episode
     * @param reason one line
     */
    record Bad(String id, String reason) {}

    /** Sums. */
    record Totals(int episodes, int clips, long frames, long samples, long truthRecords, long bytes) {
        static Totals of(List<Entry> episodes) {
            int clips = 0;
            long frames = 0;
            long samples = 0;
            long records = 0;
            long bytes = 0;
            for (Entry entry : episodes) {
                clips += entry.part().cameras().size();
                frames += entry.part().frames();
                samples += entry.samples();
                EpisodePart.TruthPart truth = entry.part().truth();
                records += truth == null ? 0 : truth.records();
                bytes += entry.part().bytes();
            }
            return new Totals(episodes.size(), clips, frames, samples, records, bytes);
        }
    }

    String toJson() {
        return JSON.writeValueAsString(this) + "\n";
    }

    static Manifest fromJson(String where, byte[] json) throws DatasetException {
        Manifest manifest;
        try {
            manifest = JSON.readValue(json, Manifest.class);
        } catch (JacksonException e) {
            throw new DatasetException(
                    where + " is no manifest of an artifact: " + e.getOriginalMessage()
                            + "; run penstock materialize again",
                    e);
        }
        if (!FORMAT.equals(manifest.format) || manifest.version != VERSION) {
            throw new DatasetException(where + " is of format " + manifest.format + " version " + manifest.version
                    + ", this library reads " + FORMAT + " version " + VERSION + "; materialize the source again");
        }
        return manifest;
    }
}
