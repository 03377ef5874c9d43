package dev.penstock.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One truth column of a view: which field of the episode's truth, as what tensor, taken how. Immutable.
 *
 * <p>{@code Column.float32()} is a scalar; {@code Column.float32(3)} a fixed shape; {@code Column.ragged(FLOAT32, 4)}
 * rows of four, a different number for each sample; {@code Column.text()} a string.
 *
 * @param type element type
 * @param kind dense, ragged or text
 * @param shape of one value (dense) or of one row (ragged)
 * @param field dotted name of the field in the truth ({@code pose.position}); the tensor's name where null
 * @param pick which record stands for the anchor
 * @param tolerance the farthest that the picked record may be from the anchor, in seconds; null: the view's tolerance
 * @param window null: one value at the anchor; else the values at these offsets from the anchor, a leading dimension T
 *     (dense columns only)
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Column(
        ElementType type,
        TensorSpec.Kind kind,
        List<Integer> shape,
        @Nullable String field,
        Pick pick,
        @Nullable Double tolerance,
        @Nullable Window window) {

    /** Which record stands for an instant. */
    public enum Pick {
        /** The nearest in time. Two at the same distance: the earlier. */
        NEAREST,
        /** The last one at or before the instant. */
        PREVIOUS,
        /** Linear between the two around the instant; dense numbers only. At a record's own time: that record. */
        LINEAR
    }

    public Column {
        Objects.requireNonNull(type, "column type");
        Objects.requireNonNull(kind, "column kind");
        shape = shape == null ? List.of() : List.copyOf(shape);
        pick = pick == null ? Pick.NEAREST : pick;
        if (tolerance != null && !(tolerance >= 0)) {
            throw new IllegalArgumentException("column tolerance was " + tolerance + ", must be at least 0 seconds");
        }
        if (pick == Pick.LINEAR
                && (kind != TensorSpec.Kind.DENSE || (type != ElementType.FLOAT32 && type != ElementType.FLOAT64))) {
            throw new IllegalArgumentException(
                    "a LINEAR column was " + kind + " " + type + ", must be dense float32 or float64");
        }
        if (window != null && kind != TensorSpec.Kind.DENSE) {
            throw new IllegalArgumentException("a column with a window was " + kind + ", must be dense");
        }
    }

    /** A fixed-shape column; no extents: a scalar. */
    public static Column dense(ElementType type, Integer... shape) {
        return new Column(type, TensorSpec.Kind.DENSE, List.of(shape), null, Pick.NEAREST, null, null);
    }

    /** float32 of a fixed shape; no extents: a scalar. */
    public static Column float32(Integer... shape) {
        return dense(ElementType.FLOAT32, shape);
    }

    /** float64 of a fixed shape; no extents: a scalar. */
    public static Column float64(Integer... shape) {
        return dense(ElementType.FLOAT64, shape);
    }

    /** int32 of a fixed shape; no extents: a scalar. */
    public static Column int32(Integer... shape) {
        return dense(ElementType.INT32, shape);
    }

    /** int64 of a fixed shape; no extents: a scalar. */
    public static Column int64(Integer... shape) {
        return dense(ElementType.INT64, shape);
    }

    /** Booleans of a fixed shape; no extents: a scalar. */
    public static Column bool(Integer... shape) {
        return dense(ElementType.BOOL, shape);
    }

    /** Rows of {@code rowShape}, a different number for each sample: boxes, points. */
    public static Column ragged(ElementType type, Integer... rowShape) {
        return new Column(type, TensorSpec.Kind.RAGGED, List.of(rowShape), null, Pick.NEAREST, null, null);
    }

    /** A string. */
    public static Column text() {
        return new Column(ElementType.UINT8, TensorSpec.Kind.TEXT, List.of(), null, Pick.NEAREST, null, null);
    }

    /** The same column from another field. */
    public Column field(String dotted) {
        return new Column(type, kind, shape, dotted, pick, tolerance, window);
    }

    /** The same column picked another way. */
    public Column pick(Pick other) {
        return new Column(type, kind, shape, field, other, tolerance, window);
    }

    /** The same column with its own tolerance in seconds. */
    public Column tolerance(double seconds) {
        return new Column(type, kind, shape, field, pick, seconds, window);
    }

    /** The values at these offsets from the anchor, as a leading dimension T. */
    public Column window(Window other) {
        return new Column(type, kind, shape, field, pick, tolerance, other);
    }

    /** The tensor of this column when it is called {@code name}. */
    public TensorSpec spec(String name) {
        if (window == null) {
            return new TensorSpec(name, type, shape, kind);
        }
        List<Integer> windowed = new ArrayList<>();
        windowed.add(window.length());
        windowed.addAll(shape);
        return new TensorSpec(name, type, windowed, kind);
    }
}
