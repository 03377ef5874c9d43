package dev.penstock.arrow;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns the fields of one record batch into columns, in the depth-first order in which Arrow lays out its buffers. Structs
 * are flattened by dotted names. One use, one thread.
 */
final class ArrowSchemas {
    static final String EXTENSION = "ARROW:extension:name";
    static final String EXTENSION_METADATA = "ARROW:extension:metadata";
    static final String TENSOR = "arrow.fixed_shape_tensor";
    /** On a field of Arrow type null: its records had lists, all empty. */
    static final String EMPTY_ROWS = "penstock.rows";
    /** On a field: the name of the float64 field whose numbers it has once more, rounded to float32. */
    static final String ROUNDED = "penstock.rounded";

    private static final JsonMapper JSON = new JsonMapper();

    private final ArrowFile.Batch batch;
    private final Map<String, String> problems;
    private final List<StoredColumn> columns = new ArrayList<>();
    private final Map<String, StoredColumn> rounded = new HashMap<>();
    private int buffer;
    private int node;

    ArrowSchemas(ArrowFile.Batch batch, Map<String, String> problems) {
        this.batch = batch;
        this.problems = problems;
    }

    List<StoredColumn> columns(ArrowFile file) {
        for (int i = 0; i < file.schema().fieldsLength(); i++) {
            top(file.schema().fields(i), "");
        }
        return columns;
    }

    /** The rounded columns by the field that they stand for; after {@link #columns}. */
    Map<String, StoredColumn> rounded() {
        Map<String, StoredColumn> fitting = new HashMap<>();
        for (StoredColumn column : columns) {
            StoredColumn single = rounded.get(column.field().name());
            if (single != null
                    && single.width() == Float.BYTES
                    && single.field().rows() == column.field().rows()
                    && single.field().shape().equals(column.field().shape())) {
                fitting.put(column.field().name(), single);
            }
        }
        return fitting;
    }

    private void top(Field field, String prefix) {
        String name = prefix + field.name();
        int type = field.typeType();
        if (type == Type.Struct_ && !nulls()) {
            node++;
            buffer++;
            for (int i = 0; i < field.childrenLength(); i++) {
                top(field.children(i), name + ".");
            }
            return;
        }
        StoredColumn column = switch (type) {
            case Type.Null -> nothing(field, name);
            case Type.Utf8, Type.LargeUtf8 -> text(name, type == Type.LargeUtf8);
            case Type.List, Type.LargeList -> rows(field, name, type == Type.LargeList);
            default -> numbers(field, name, false, null, false, null, nulls());
        };
        String exact = metadata(field, ROUNDED);
        if (exact != null && column != null) {
            rounded.put(exact, column);
        } else {
            columns.add(column == null ? unreadable(field, name) : column);
        }
    }

    private boolean nulls() {
        return batch.header().nodes(node).nullCount() > 0;
    }

    private StoredColumn nothing(Field field, String name) {
        node++;
        boolean rows = metadata(field, EMPTY_ROWS) != null;
        TruthField truth = new TruthField(name, TruthType.UNKNOWN, rows, List.of(), !rows);
        return new StoredColumn(truth, 0, false, 0, null, null, false, null);
    }

    private StoredColumn text(String name, boolean wide) {
        boolean optional = nulls();
        node++;
        ByteBuffer validity = validity(optional);
        ByteBuffer offsets = batch.buffer(buffer++);
        ByteBuffer values = batch.buffer(buffer++);
        TruthField truth = new TruthField(name, TruthType.TEXT, false, List.of(), optional);
        return new StoredColumn(truth, 1, true, 1, validity, offsets, wide, values);
    }

    private @Nullable StoredColumn rows(Field field, String name, boolean wide) {
        int firstNode = node;
        int firstBuffer = buffer;
        boolean optional = nulls();
        node++;
        ByteBuffer validity = validity(optional);
        ByteBuffer offsets = batch.buffer(buffer++);
        StoredColumn column = numbers(field.children(0), name, true, offsets, wide, validity, optional);
        if (column == null) {
            node = firstNode;
            buffer = firstBuffer;
        }
        return column;
    }

    private @Nullable ByteBuffer validity(boolean nulls) {
        ByteBuffer bits = batch.buffer(buffer++);
        return nulls ? bits : null;
    }

    /** Numbers, alone or in fixed-size lists; null when the type is another. */
    private @Nullable StoredColumn numbers(
            Field field,
            String name,
            boolean rows,
            @Nullable ByteBuffer offsets,
            boolean wide,
            @Nullable ByteBuffer outer,
            boolean optional) {
        int firstNode = node;
        int firstBuffer = buffer;
        List<Integer> shape = new ArrayList<>();
        ByteBuffer validity = outer;
        Field inner = field;
        while (inner.typeType() == Type.FixedSizeList) {
            shape.addAll(shapeOf(inner));
            boolean nulls = nulls();
            node++;
            ByteBuffer bits = validity(nulls);
            if (nulls && (rows || inner != field)) {
                return reset(firstNode, firstBuffer);
            }
            validity = rows ? outer : validity == null ? bits : validity;
            inner = inner.children(0);
        }
        boolean leafNulls = nulls();
        int width = width(inner);
        boolean leafIsRecord = inner == field && !rows;
        if (width < 0 || (leafNulls && !leafIsRecord)) {
            return reset(firstNode, firstBuffer);
        }
        node++;
        ByteBuffer bits = validity(leafNulls);
        validity = leafIsRecord ? bits : validity;
        ByteBuffer values = batch.buffer(buffer++);
        int elements = shape.stream().reduce(1, (a, b) -> a * b);
        TruthField truth = new TruthField(name, typeOf(inner), rows, shape, optional);
        return new StoredColumn(truth, width, isUnsigned(inner), elements, validity, offsets, wide, values);
    }

    private @Nullable StoredColumn reset(int firstNode, int firstBuffer) {
        node = firstNode;
        buffer = firstBuffer;
        return null;
    }

    /** Steps over a field that no tensor holds. */
    private StoredColumn unreadable(Field field, String name) {
        problems.put(
                name,
                "Arrow type " + Type.name(field.typeType())
                        + " (or nulls inside lists) is not read; numbers, bool, utf8, fixed-size lists and lists of them"
                        + " are");
        skip(field);
        TruthField truth = new TruthField(name, TruthType.MIXED, false, List.of(), false);
        return new StoredColumn(truth, 0, false, 0, null, null, false, null);
    }

    private void skip(Field field) {
        node++;
        buffer += switch (field.typeType()) {
            case Type.Null -> 0;
            case Type.Struct_, Type.FixedSizeList -> 1;
            case Type.Utf8, Type.LargeUtf8, Type.Binary, Type.LargeBinary -> 3;
            default -> 2; // validity and values, or validity and offsets
        };
        for (int i = 0; i < field.childrenLength(); i++) {
            skip(field.children(i));
        }
    }

    private static List<Integer> shapeOf(Field field) {
        int size = ((FixedSizeList) java.util.Objects.requireNonNull(field.type(new FixedSizeList()))).listSize();
        String metadata = metadata(field, EXTENSION_METADATA);
        if (!TENSOR.equals(metadata(field, EXTENSION)) || metadata == null) {
            return List.of(size);
        }
        try {
            List<Integer> shape = new ArrayList<>();
            JsonNode extents = JSON.readTree(metadata).path("shape");
            extents.forEach(extent -> shape.add(extent.asInt()));
            return shape.stream().reduce(1, (a, b) -> a * b) == size ? shape : List.of(size);
        } catch (JacksonException e) {
            return List.of(size);
        }
    }

    private static int width(Field field) {
        return switch (field.typeType()) {
            case Type.Bool -> 0;
            case Type.Int -> intOf(field).bitWidth() / 8;
            case Type.FloatingPoint ->
                switch (floatOf(field).precision()) {
                    case Precision.SINGLE -> 4;
                    case Precision.DOUBLE -> 8;
                    default -> -1;
                };
            default -> -1;
        };
    }

    private static TruthType typeOf(Field field) {
        return field.typeType() == Type.Bool
                ? TruthType.BOOL
                : field.typeType() == Type.Int ? TruthType.INT64 : TruthType.FLOAT64;
    }

    private static boolean isUnsigned(Field field) {
        return field.typeType() == Type.Int && !intOf(field).isSigned();
    }

    private static Int intOf(Field field) {
        return (Int) java.util.Objects.requireNonNull(field.type(new Int()));
    }

    private static FloatingPoint floatOf(Field field) {
        return (FloatingPoint) java.util.Objects.requireNonNull(field.type(new FloatingPoint()));
    }

    static @Nullable String metadata(Field field, String key) {
        for (int i = 0; i < field.customMetadataLength(); i++) {
            if (key.equals(field.customMetadata(i).key())) {
                return field.customMetadata(i).value();
            }
        }
        return null;
    }
}
