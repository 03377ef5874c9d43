package dev.penstock.view;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The training view: what a sample is. Immutable, plain data, the same in every part of the library: the loader, fake
 * batches and ETL are driven by one view.
 *
 * <p>The tensors of a batch are, in this order: each video column (and after it {@code NAME.mask} under
 * {@link EdgeRule#CLAMP}, and {@code NAME.skew}, float32 {@code [T]}, seconds by which each frame is later than wanted,
 * where it is not the reference camera), then each truth column.
 *
 * @param videos the cameras
 * @param truth the truth columns by tensor name, in order
 * @param anchors where samples are
 * @param edges what happens at clip ends
 * @param tolerance the farthest that a frame of another camera, or a truth record, may be from its instant, in seconds
 */
public record View(
        List<VideoColumn> videos, Map<String, Column> truth, Anchors anchors, EdgeRule edges, Double tolerance) {

    /** The default tolerance in seconds: half a frame at 10 frames a second. */
    public static final double DEFAULT_TOLERANCE = 0.05;

    public View {
        videos = videos == null ? List.of() : List.copyOf(videos);
        truth = truth == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(truth));
        anchors = anchors == null ? defaultAnchors(videos) : anchors;
        edges = edges == null ? EdgeRule.DROP : edges;
        tolerance = tolerance == null ? DEFAULT_TOLERANCE : tolerance;
        if (!(tolerance >= 0) || Double.isInfinite(tolerance)) {
            throw new IllegalArgumentException("view tolerance was " + tolerance + ", must be at least 0 seconds");
        }
        if (videos.isEmpty() && truth.isEmpty()) {
            throw new IllegalArgumentException("the view has no column; add a video(...) or a truth(...)");
        }
        if (videos.isEmpty() && anchors.at() == Anchors.At.FRAMES) {
            throw new IllegalArgumentException("the view has no video to anchor at; use Anchors.atTruth()");
        }
        specOf(videos, truth, anchors, edges); // refuses names that are there twice
    }

    /** A builder with no column. */
    public static Builder builder() {
        return new Builder();
    }

    /** The tensors of every batch of this view. */
    public BatchSpec spec() {
        return specOf(videos, truth, anchors, edges);
    }

    /** The camera whose clock the anchors stand on, or "" in a view without video. */
    public String referenceCamera() {
        return referenceOf(videos, anchors);
    }

    /** The view as JSON, readable by {@link #fromJson(String)}. */
    public String toJson() {
        return Json.MAPPER.writeValueAsString(this);
    }

    /**
     * Reads what {@link #toJson()} wrote, or a hand-written view; what is left out has its default.
     *
     * @throws IllegalArgumentException when it is no view; the message says where
     */
    public static View fromJson(String json) {
        try {
            return Json.MAPPER.readValue(json, View.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "not a view: " + e.getOriginalMessage() + " at line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
    }

    private static Anchors defaultAnchors(List<VideoColumn> videos) {
        return videos.isEmpty() ? Anchors.atTruth() : Anchors.everyFrames(1);
    }

    private static String referenceOf(List<VideoColumn> videos, Anchors anchors) {
        if (anchors.camera() != null) {
            return anchors.camera();
        }
        return videos.isEmpty() ? "" : videos.get(0).camera();
    }

    private static BatchSpec specOf(
            List<VideoColumn> videos, Map<String, Column> truth, Anchors anchors, EdgeRule edges) {
        List<TensorSpec> tensors = new ArrayList<>();
        String reference = referenceOf(videos, anchors);
        for (VideoColumn video : videos) {
            tensors.add(video.spec());
            int frames = video.window().length();
            if (edges == EdgeRule.CLAMP) {
                tensors.add(TensorSpec.dense(video.name() + ".mask", ElementType.UINT8, frames));
            }
            if (!video.camera().equals(reference)) {
                tensors.add(TensorSpec.dense(video.name() + ".skew", ElementType.FLOAT32, frames));
            }
        }
        truth.forEach((name, column) -> tensors.add(column.spec(name)));
        return new BatchSpec(tensors);
    }

    /** Collects a view's columns and rules. Not thread-safe. */
    public static final class Builder {
        private final List<VideoColumn> videos = new ArrayList<>();
        private final Map<String, Column> truth = new LinkedHashMap<>();
        private @Nullable Anchors anchors;
        private EdgeRule edges = EdgeRule.DROP;
        private double tolerance = DEFAULT_TOLERANCE;

        private Builder() {}

        /** A camera with the defaults of {@link VideoColumn#of}. */
        public Builder video(String camera, Window window, Size size) {
            return video(VideoColumn.of(camera, window, size));
        }

        /** A camera. */
        public Builder video(VideoColumn column) {
            videos.add(column);
            return this;
        }

        /** A truth column, as tensor {@code name}. */
        public Builder truth(String name, Column column) {
            if (truth.putIfAbsent(name, column) != null) {
                throw new IllegalArgumentException("truth column '" + name + "' was given twice");
            }
            return this;
        }

        /** Truth columns by the names of their tensors: a group of a truth schema, say. */
        public Builder truth(Map<String, Column> columns) {
            columns.forEach(this::truth);
            return this;
        }

        /** Where samples are; default every frame of the first camera, or every truth record without a camera. */
        public Builder anchors(Anchors where) {
            this.anchors = where;
            return this;
        }

        /** What happens at clip ends; default {@link EdgeRule#DROP}. */
        public Builder edges(EdgeRule rule) {
            this.edges = rule;
            return this;
        }

        /** The farthest that another camera's frame or a truth record may be from its instant, in seconds. */
        public Builder tolerance(double seconds) {
            this.tolerance = seconds;
            return this;
        }

        /** The view. */
        public View build() {
            return new View(videos, truth, anchors == null ? defaultAnchors(videos) : anchors, edges, tolerance);
        }
    }

    /** Made at first use: a loader needs no JSON, and loading its classes takes a cold JVM a third of a second. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(tools.jackson.databind.SerializationFeature.INDENT_OUTPUT)
                .build();
    }
}
