package dev.penstock.arrow;

import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Truth fields as Arrow fields and their values in vectors. The tensor's extension type is written as Arrow's "Canonical
 * extension types" page says: storage fixed-size list, metadata {@code {"shape":[…]}}.
 */
final class ArrowFields {
    private ArrowFields() {}

    static Field time(String name) {
        return new Field(
                name, FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)), List.of());
    }

    /** A field of values as they are. */
    static Field of(TruthField field) {
        if (field.type() == TruthType.UNKNOWN) {
            Map<String, String> metadata = field.rows() ? Map.of(ArrowSchemas.EMPTY_ROWS, "true") : Map.of();
            return new Field(field.name(), new FieldType(true, ArrowType.Null.INSTANCE, null, metadata), List.of());
        }
        if (!field.rows()) {
            return value(field.name(), field, false, field.optional(), Map.of());
        }
        return rows(field.name(), field, false, Map.of());
    }

    /**
     * Whether a field's numbers stand in the file once more as float32: most tensors are that, and copying is cheaper than
     * rounding. Not for single numbers, which cost the same either way.
     */
    static boolean isRounded(TruthField field) {
        return field.type() == TruthType.FLOAT64 && (field.rows() || numbers(field) > 1);
    }

    /** The field of a field's rounded numbers. */
    static Field rounded(TruthField field) {
        Map<String, String> metadata = Map.of(ArrowSchemas.ROUNDED, field.name());
        String name = field.name() + "@float32";
        return field.rows() ? rows(name, field, true, metadata) : value(name, field, true, field.optional(), metadata);
    }

    private static Field rows(String name, TruthField field, boolean single, Map<String, String> metadata) {
        return new Field(
                name,
                new FieldType(field.optional(), ArrowType.List.INSTANCE, null, metadata),
                List.of(value("item", field, single, false, Map.of())));
    }

    private static int numbers(TruthField field) {
        return field.shape().stream().reduce(1, (a, b) -> a * b);
    }

    private static Field value(
            String name, TruthField field, boolean single, boolean nullable, Map<String, String> metadata) {
        ArrowType type = switch (field.type()) {
            case BOOL -> ArrowType.Bool.INSTANCE;
            case INT64 -> new ArrowType.Int(64, true);
            case TEXT -> ArrowType.Utf8.INSTANCE;
            default ->
                new ArrowType.FloatingPoint(single ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE);
        };
        if (field.shape().isEmpty()) {
            return new Field(name, new FieldType(nullable, type, null, metadata), List.of());
        }
        int size = numbers(field);
        Map<String, String> tensor = tensor(field.shape());
        tensor.putAll(metadata);
        List<Field> item = new ArrayList<>();
        item.add(new Field("item", new FieldType(false, type, null), List.of()));
        return new Field(name, new FieldType(nullable, new ArrowType.FixedSizeList(size), null, tensor), item);
    }

    /** Metadata of the canonical tensor type; sorted, so that every JVM writes it in one order. */
    static Map<String, String> tensor(List<Integer> shape) {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(ArrowSchemas.EXTENSION, ArrowSchemas.TENSOR);
        metadata.put(
                ArrowSchemas.EXTENSION_METADATA,
                "{\"shape\":" + shape.toString().replace(" ", "") + "}");
        return metadata;
    }

    /**
     * Puts a value into a vector.
     *
     * @param size bytes of {@code value} from position 0; -1: null
     */
    static void put(TruthField field, FieldVector vector, int record, int size, ByteBuffer value) {
        if (field.type() == TruthType.UNKNOWN) {
            return;
        }
        if (size < 0) {
            vector.setNull(record);
        } else if (vector instanceof VarCharVector texts) {
            texts.setSafe(record, value, 0, size);
        } else if (vector instanceof ListVector lists) {
            int row = numbers(field) * bytes(field.type());
            int first = lists.startNewValue(record);
            for (int i = 0; i < size / row; i++) {
                one(field.type(), lists.getDataVector(), first + i, value, i * row);
            }
            lists.endValue(record, size / row);
        } else {
            one(field.type(), vector, record, value, 0);
        }
    }

    private static void one(
            TruthType type, org.apache.arrow.vector.ValueVector vector, int at, ByteBuffer value, int from) {
        if (vector instanceof FixedSizeListVector fixed) {
            fixed.startNewValue(at);
            for (int i = 0; i < fixed.getListSize(); i++) {
                one(type, fixed.getDataVector(), at * fixed.getListSize() + i, value, from + i * bytes(type));
            }
        } else if (vector instanceof Float8Vector doubles) {
            doubles.setSafe(at, value.getDouble(from));
        } else if (vector instanceof Float4Vector floats) {
            floats.setSafe(at, (float) value.getDouble(from));
        } else if (vector instanceof BigIntVector longs) {
            longs.setSafe(at, value.getLong(from));
        } else if (vector instanceof BitVector bits) {
            bits.setSafe(at, value.get(from));
        } else {
            throw new IllegalStateException("no truth is written into " + vector.getField());
        }
    }

    private static int bytes(TruthType type) {
        return type == TruthType.BOOL ? 1 : 8;
    }
}
