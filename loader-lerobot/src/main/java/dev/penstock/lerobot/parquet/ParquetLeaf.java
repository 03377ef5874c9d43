package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.TruthType;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * One column of a Parquet file: what it is called as a field of truth, what its values are, and which levels mean what.
 * Immutable.
 *
 * @param name dotted: structs by their names, lists without the levels that Parquet puts between a list and its elements
 * @param type of its values; {@link TruthType#MIXED} where they are nothing that a tensor holds
 * @param width bytes of a value as it is kept; 1 for texts and booleans
 * @param unsigned whether whole numbers have no sign
 * @param listLevels definition level of an element of each list around the value, outermost first
 * @param inRows whether a struct stands between a list and the value: then it is one row of a list of objects
 * @param descriptor for Parquet's decoders
 * @param problem why no tensor holds it, or null
 */
record ParquetLeaf(
        String name,
        TruthType type,
        int width,
        boolean unsigned,
        List<Integer> listLevels,
        boolean inRows,
        ColumnDescriptor descriptor,
        @Nullable String problem) {

    /** Goes down the schema, which is stored depth first. One use, one thread. */
    static final class Reader {
        private final List<SchemaElement> schema;
        private final List<ParquetLeaf> leaves = new ArrayList<>();
        private int next;

        Reader(List<SchemaElement> schema) {
            this.schema = schema;
        }

        /** All columns, in the file's order. */
        List<ParquetLeaf> leaves() {
            SchemaElement root = schema.get(next++);
            for (int i = 0; i < root.getNum_children(); i++) {
                read(new Place(List.of(), "", 0, List.of(), false, false));
            }
            return leaves;
        }

        /**
         * Where an element stands.
         *
         * @param silent how the element's name counts: it is only a step between a list and its elements
         */
        private record Place(
                List<String> path, String name, int definition, List<Integer> lists, boolean inRows, boolean silent) {}

        private void read(Place at) {
            SchemaElement element = schema.get(next++);
            FieldRepetitionType repetition = element.getRepetition_type();
            int definition = at.definition + (repetition == FieldRepetitionType.REQUIRED ? 0 : 1);
            List<Integer> lists = at.lists;
            if (repetition == FieldRepetitionType.REPEATED) {
                lists = plus(lists, definition);
            }
            List<String> path = plus(at.path, element.getName());
            String name =
                    at.silent ? at.name : at.name.isEmpty() ? element.getName() : at.name + "." + element.getName();
            if (element.isSetType()) {
                leaves.add(leaf(element, path, name, definition, lists, at.inRows));
                return;
            }
            boolean list = isList(element);
            boolean step = at.silent && repetition == FieldRepetitionType.REPEATED && isStep(element, at);
            // A struct that is a list's element: its fields are rows.
            boolean rows = at.inRows || (!list && !step && !lists.isEmpty());
            for (int i = 0; i < element.getNum_children(); i++) {
                read(new Place(path, name, definition, lists, rows, list || step));
            }
        }

        /** Whether a repeated group only holds the element, as against being it (files of old writers). */
        private boolean isStep(SchemaElement element, Place at) {
            String list = at.path.get(at.path.size() - 1);
            return element.getNum_children() == 1
                    && !element.getName().equals("array")
                    && !element.getName().equals(list + "_tuple");
        }

        private static boolean isList(SchemaElement element) {
            LogicalType logical = element.getLogicalType();
            return (logical != null && logical.isSetLIST()) || element.getConverted_type() == ConvertedType.LIST;
        }

        private static ParquetLeaf leaf(
                SchemaElement element,
                List<String> path,
                String name,
                int definition,
                List<Integer> lists,
                boolean inRows) {
            String stored = element.getType().name(); // the format and its Java classes differ in one name
            PrimitiveType primitive = new PrimitiveType(
                    Type.Repetition.valueOf(element.getRepetition_type().name()),
                    PrimitiveType.PrimitiveTypeName.valueOf(stored.equals("BYTE_ARRAY") ? "BINARY" : stored),
                    element.getType_length(),
                    element.getName());
            ColumnDescriptor descriptor =
                    new ColumnDescriptor(path.toArray(String[]::new), primitive, lists.size(), definition);
            LogicalType logical = element.getLogicalType();
            boolean unsigned = logical != null
                    && logical.isSetINTEGER()
                    && !logical.getINTEGER().isIsSigned();
            boolean decimal =
                    (logical != null && logical.isSetDECIMAL()) || element.getConverted_type() == ConvertedType.DECIMAL;
            boolean plain = !decimal;
            TruthType type = switch (element.getType()) {
                case BOOLEAN -> TruthType.BOOL;
                case INT32, INT64 -> plain ? TruthType.INT64 : TruthType.MIXED;
                case FLOAT, DOUBLE -> TruthType.FLOAT64;
                case BYTE_ARRAY -> isText(element) && lists.isEmpty() ? TruthType.TEXT : TruthType.MIXED;
                default -> TruthType.MIXED;
            };
            int width = switch (element.getType()) {
                case INT32, FLOAT -> 4;
                case INT64, DOUBLE -> 8;
                default -> 1;
            };
            String problem = type == TruthType.MIXED
                    ? "Parquet type " + element.getType() + (decimal ? " (decimal)" : "")
                            + (lists.isEmpty() ? "" : " in lists")
                            + " is not read; numbers, booleans, lists of them and strings are"
                    : null;
            return new ParquetLeaf(name, type, width, unsigned, lists, inRows, descriptor, problem);
        }

        private static <T> List<T> plus(List<T> list, T last) {
            List<T> longer = new ArrayList<>(list);
            longer.add(last);
            return List.copyOf(longer);
        }
    }

    static boolean isText(SchemaElement element) {
        LogicalType logical = element.getLogicalType();
        ConvertedType converted = element.getConverted_type();
        return (logical != null && (logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON()))
                || converted == ConvertedType.UTF8
                || converted == ConvertedType.ENUM
                || converted == ConvertedType.JSON;
    }
}
