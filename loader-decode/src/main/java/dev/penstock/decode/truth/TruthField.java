package dev.penstock.decode.truth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.view.Column;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One field of a truth table. Immutable.
 *
 * @param name dotted name ({@code pose.position}); a field inside a list of objects counts as rows
 *     ({@code boxes.label})
 * @param type type of its values
 * @param rows whether the number of rows differs from record to record
 * @param shape of one value, or of one row; empty for a scalar
 * @param optional whether a record may lack it (or hold null): then a float is NaN, rows are none, a text is empty
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record TruthField(
        @JsonInclude(JsonInclude.Include.ALWAYS) String name,
        @JsonInclude(JsonInclude.Include.ALWAYS) TruthType type,
        @JsonProperty("rows") boolean rows,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> shape,
        boolean optional) {

    public TruthField {
        Objects.requireNonNull(name, "field name");
        Objects.requireNonNull(type, "type of field '" + name + "'");
        shape = shape == null ? List.of() : List.copyOf(shape);
    }

    /** A field that every record has, of one shape. */
    public static TruthField of(String name, TruthType type, Integer... shape) {
        return new TruthField(name, type, false, List.of(shape), false);
    }

    /** A field of rows that every record has. */
    public static TruthField rows(String name, TruthType type, Integer... rowShape) {
        return new TruthField(name, type, true, List.of(rowShape), false);
    }

    /** The same field under another name. */
    public TruthField named(String other) {
        return new TruthField(other, type, rows, shape, optional);
    }

    /** What it holds, for people: {@code float64[3]}, {@code rows of float64[4]}. */
    public String describe() {
        return (rows ? "rows of " : "") + type + (shape.isEmpty() ? "" : shape.toString());
    }

    /**
     * A column that takes it as training wants it: float32 for numbers, int64 for whole ones, bool, text, ragged for rows.
     *
     * @throws IllegalArgumentException when no column holds it
     */
    public Column column() {
        return column(ElementType.FLOAT32);
    }

    /** A column that takes it exactly as it is: numbers as float64. */
    public Column exactColumn() {
        return column(ElementType.FLOAT64);
    }

    private Column column(ElementType numbers) {
        ElementType element = switch (type) {
            case BOOL -> ElementType.BOOL;
            case INT64 -> ElementType.INT64;
            case FLOAT64 -> numbers;
            case TEXT -> ElementType.UINT8;
            case UNKNOWN, MIXED ->
                throw new IllegalArgumentException("truth field '" + name + "' is " + describe()
                        + ", which no column holds; say what it is in the truth schema");
        };
        if (type == TruthType.TEXT) {
            return Column.text();
        }
        TensorSpec.Kind kind = rows ? TensorSpec.Kind.RAGGED : TensorSpec.Kind.DENSE;
        return new Column(element, kind, shape, null, Column.Pick.NEAREST, null, null);
    }

    /** Why {@code column} can't take this field, or null when it can. */
    public @Nullable String refuses(Column column) {
        if (column.kind() == TensorSpec.Kind.TEXT) {
            boolean text = type == TruthType.TEXT || type == TruthType.UNKNOWN;
            return text && !rows && shape.isEmpty() ? null : "a text column needs one string a record";
        }
        if (!type.fits(column.type())) {
            return type == TruthType.TEXT
                    ? "strings need Column.text()"
                    : column.type() + " can't hold it; use float32 or float64";
        }
        if (type == TruthType.UNKNOWN) {
            return column.kind() == TensorSpec.Kind.RAGGED || optional ? null : "no record has a value";
        }
        if (column.kind() == TensorSpec.Kind.DENSE) {
            return !rows && shape.equals(column.shape())
                    ? null
                    : "the column's shape is " + column.shape() + (rows ? "; rows need Column.ragged" : "");
        }
        return column.shape().equals(rowShape()) ? null : "the column's row shape is " + column.shape();
    }

    private @Nullable List<Integer> rowShape() {
        if (rows) {
            return shape;
        }
        return shape.isEmpty() ? null : shape.subList(1, shape.size());
    }
}
