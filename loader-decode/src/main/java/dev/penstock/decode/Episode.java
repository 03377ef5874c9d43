package dev.penstock.decode;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One recording: clips of one or more cameras and ground truth on the same clock. Plain data: nothing is opened.
 * Immutable.
 *
 * @param id unique in its dataset
 * @param cameras the clips by camera name, in the index's order
 * @param truth where its ground truth is, or null
 * @param split the part of the dataset that it belongs to ({@code train}, {@code val}), or null
 * @param metadata anything else, as plain JSON values (String, Boolean, Number, List, Map, null); for
 *     {@link Episodes#filter}
 */
public record Episode(
        String id,
        Map<String, Clip> cameras,
        @Nullable TruthReference truth,
        @Nullable String split,
        Map<String, Object> metadata) {

    public Episode {
        Objects.requireNonNull(id, "id");
        if (id.isBlank()) {
            throw new IllegalArgumentException("the episode's id is blank");
        }
        cameras = Collections.unmodifiableMap(new LinkedHashMap<>(cameras));
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        if (cameras.isEmpty() && truth == null) {
            throw new IllegalArgumentException("episode '" + id + "' has neither cameras nor truth");
        }
    }

    /** An episode of clips alone. */
    public static Episode of(String id, Map<String, Clip> cameras) {
        return new Episode(id, cameras, null, null, Map.of());
    }

    /** The same episode with truth. */
    public Episode truth(TruthReference other) {
        return new Episode(id, cameras, other, split, metadata);
    }

    /** The same episode in another split. */
    public Episode split(@Nullable String other) {
        return new Episode(id, cameras, truth, other, metadata);
    }

    /** The same episode with other metadata. */
    public Episode metadata(Map<String, Object> other) {
        return new Episode(id, cameras, truth, split, other);
    }
}
