package dev.penstock.arrow.artifact;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.decode.Clip;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Where an artifact's source was and what its files looked like: {@code source.json}. It makes a look at whether the
 * source has changed cheap.
 *
 * @param place address of the source; null for one that was made in code
 * @param whole whether all the place's episodes were taken
 * @param files by episode: size and time (or etag) of its files
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SourceNote(@Nullable String place, boolean whole, Map<String, String> files) {

    static SourceNote of(Episodes source) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (Episode episode : source.episodes()) {
            files.put(episode.id(), look(episode));
        }
        URI place = source.place();
        return new SourceNote(place == null ? null : place.toString(), source.isWhole(), files);
    }

    /** What an episode's files look like now; "absent" where one is not there. */
    static String look(Episode episode) throws IOException {
        StringBuilder look = new StringBuilder();
        for (Clip clip : episode.cameras().values()) {
            look.append(look(clip.uri())).append(' ');
        }
        if (episode.truth() != null) {
            URI truth = episode.truth().uri();
            String inline = episode.truth().inline();
            look.append(truth == null ? "inline-" + String.valueOf(inline).hashCode() : look(truth));
        }
        return look.toString().strip();
    }

    private static String look(URI uri) {
        try (Blob blob = BlobStores.of(uri).open(uri)) {
            return blob.identity();
        } catch (IOException e) {
            return "absent";
        }
    }

    String toJson() {
        return Manifest.JSON.writeValueAsString(this) + "\n";
    }

    /** Reads it; null where it is damaged, for nothing depends on it. */
    static @Nullable SourceNote fromJson(byte[] json) {
        try {
            return Manifest.JSON.readValue(json, SourceNote.class);
        } catch (JacksonException e) {
            return null;
        }
    }
}
