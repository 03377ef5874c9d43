package dev.penstock.arrow.artifact;

import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The file that says whose a place is, written before anything else.
 *
 * @param format {@value Manifest#FORMAT}
 * @param key digest of picture rules and encoding
 */
record Marker(String format, String key) {

    static void claim(ArtifactTarget target, String place, String key, boolean replace) throws IOException {
        byte[] json = target.read(ArtifactTarget.MARKER);
        Marker mine = new Marker(Manifest.FORMAT, key);
        if (json != null && !replace && !mine.equals(read(place, json))) {
            throw new DatasetException("target " + place + " is an artifact with other pictures or another encoding;"
                    + " give another place, or say that it may be replaced (--replace). Nothing was changed");
        }
        if (json == null || !mine.equals(read(place, json))) {
            target.write(
                    ArtifactTarget.MARKER,
                    (Manifest.JSON.writeValueAsString(mine) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Marker read(String place, byte[] json) throws DatasetException {
        try {
            return Manifest.JSON.readValue(json, Marker.class);
        } catch (JacksonException e) {
            throw new DatasetException(
                    "target " + place + ": " + ArtifactTarget.MARKER + " is damaged (" + e.getOriginalMessage()
                            + "); give another place, or delete it",
                    e);
        }
    }

    /** A part's own description; null where it is damaged. */
    static @Nullable EpisodePart part(byte[] json) {
        try {
            return Manifest.JSON.readValue(json, EpisodePart.class);
        } catch (JacksonException e) {
            return null;
        }
    }
}
