package dev.penstock.arrow;

import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthCursor;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An episode's constants as one JSON object with dotted keys. They are few; a tree is fine here. */
final class ConstantsJson {
    private static final JsonMapper JSON = new JsonMapper();

    private ConstantsJson() {}

    static String of(TruthTable table) throws DatasetException {
        List<TruthField> fields = table.schema().fields().stream()
                .filter(field -> field.type() != TruthType.MIXED)
                .toList();
        List<TruthColumn> columns = ArrowTruthWriter.columns(fields);
        ObjectNode object = JSON.createObjectNode();
        try (TruthCursor cursor = table.format().newCursor(columns)) {
            cursor.load(table, 0, null);
            for (int i = 0; i < fields.size(); i++) {
                int size = ArrowTruthWriter.size(cursor, i, fields.get(i));
                if (fields.get(i).type() == TruthType.UNKNOWN) {
                    object.set(fields.get(i).name(), fields.get(i).rows() ? JSON.createArrayNode() : null);
                } else if (size >= 0) {
                    ByteBuffer value = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
                    cursor.copyTo(i, value, 0);
                    put(object, fields.get(i), value);
                }
            }
        } catch (SampleException e) {
            throw new DatasetException(String.valueOf(e.getMessage()), e);
        }
        return JSON.writeValueAsString(object);
    }

    private static void put(ObjectNode object, TruthField field, ByteBuffer value) {
        if (field.type() == TruthType.TEXT) {
            object.put(field.name(), StandardCharsets.UTF_8.decode(value).toString());
            return;
        }
        ArrayNode list = JSON.createArrayNode();
        if (field.rows()) {
            while (value.hasRemaining()) {
                nested(list, field, 0, value);
            }
        } else {
            nested(list, field, 0, value);
        }
        object.set(field.name(), field.rows() ? list : list.get(0));
    }

    private static void nested(ArrayNode into, TruthField field, int dimension, ByteBuffer value) {
        if (dimension < field.shape().size()) {
            ArrayNode list = into.addArray();
            for (int i = 0; i < field.shape().get(dimension); i++) {
                nested(list, field, dimension + 1, value);
            }
            return;
        }
        switch (field.type()) {
            case BOOL -> into.add(value.get() != 0);
            case INT64 -> into.add(value.getLong());
            default -> into.add(value.getDouble());
        }
    }
}
