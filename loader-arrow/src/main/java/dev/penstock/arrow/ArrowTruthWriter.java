package dev.penstock.arrow;

import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthCursor;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleException;
import dev.penstock.view.Column;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an episode's truth, of any format, as Arrow IPC files: one file and one record batch a list of records. Equal truth
 * gives equal bytes. A field keeps its type: int64, float64, bool, utf8; a fixed shape is an
 * {@code arrow.fixed_shape_tensor}, rows are a list. Tensors and rows of float64 stand there once more as float32, under the
 * field's name and {@code @float32}: what a float32 tensor is copied from. The record's seconds are the float64 field {@code time}. Constants
 * stand in the first file's metadata.
 *
 * <p>Stateless; each call uses the calling thread only. A file is written aside and moved to its name when it is whole.
 */
public final class ArrowTruthWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ArrowTruthWriter.class);

    private ArrowTruthWriter() {}

    /**
     * Writes {@code file} and, for an episode with several lists, others beside it that {@code file} names.
     *
     * @return the files written, {@code file} first
     * @throws IllegalStateException when the JVM lacks the option that Arrow needs; the message has it
     * @throws DatasetException when a record can't be read; the message says episode, file, line and field
     */
    public static List<Path> write(EpisodeTruth truth, Path file) throws IOException {
        ArrowFlags.require();
        List<TruthTable> lists = new ArrayList<>();
        // Sorted: the order of HashMap and Map.of is not that of another JVM, and equal truth must give equal bytes.
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(ArrowTruthFormat.IDENTITY, truth.identity());
        for (TruthTable table : truth.tables()) {
            if (table.constant()) {
                metadata.put(ArrowTruthFormat.CONSTANTS, ConstantsJson.of(table));
            } else {
                lists.add(table);
            }
        }
        List<Path> files = new ArrayList<>(List.of(file));
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.arrow$", "");
        for (int i = 1; i < lists.size(); i++) {
            files.add(file.resolveSibling(name + "." + i + ".arrow"));
            String time = prefix(lists.get(i)) + TruthSchema.TIME;
            one(
                    lists.get(i),
                    files.get(i),
                    time,
                    new TreeMap<>(Map.of(ArrowTruthFormat.IDENTITY, truth.identity(), ArrowTruthFormat.TIME, time)));
        }
        if (files.size() > 1) {
            metadata.put(
                    ArrowTruthFormat.OTHERS,
                    files.stream()
                            .skip(1)
                            .map(f -> String.valueOf(f.getFileName()))
                            .collect(Collectors.joining("\n")));
        }
        one(lists.isEmpty() ? null : lists.get(0), file, TruthSchema.TIME, metadata);
        return files;
    }

    /** The list's name and a dot, which its fields' names start with. */
    private static String prefix(TruthTable list) {
        String first = list.schema().fields().isEmpty()
                ? ""
                : list.schema().fields().get(0).name();
        return first.substring(0, first.indexOf('.') + 1);
    }

    private static void one(@Nullable TruthTable table, Path file, String time, Map<String, String> metadata)
            throws IOException {
        List<TruthField> fields = table == null ? List.of() : fields(table, time);
        List<Field> arrow = new ArrayList<>(List.of(ArrowFields.time(time)));
        fields.forEach(field -> arrow.add(ArrowFields.of(field)));
        fields.stream().filter(ArrowFields::isRounded).forEach(field -> arrow.add(ArrowFields.rounded(field)));
        Path aside = file.resolveSibling(file.getFileName() + ".part");
        try (BufferAllocator memory = new RootAllocator();
                VectorSchemaRoot root =
                        VectorSchemaRoot.create(new Schema(table == null ? List.of() : arrow, metadata), memory);
                FileChannel channel = FileChannel.open(
                        aside,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
            writer.start();
            if (table != null) {
                fill(table, fields, root);
                writer.writeBatch();
            }
            writer.end();
            channel.force(true);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(aside);
            throw e;
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whether a field is written: one of values that go together, and that a view can take (no list of strings). */
    public static boolean isWritten(TruthField field) {
        boolean strings = field.type() == TruthType.TEXT
                && (field.rows() || !field.shape().isEmpty());
        return field.type() != TruthType.MIXED && !strings;
    }

    /** Whether a field's numbers are written once more as float32. */
    public static boolean isRounded(TruthField field) {
        return ArrowFields.isRounded(field);
    }

    private static List<TruthField> fields(TruthTable table, String time) {
        List<TruthField> fields = new ArrayList<>();
        for (TruthField field : table.schema().fields()) {
            if (field.type() == TruthType.MIXED) {
                LOG.warn("{}: field '{}' is left out: {}", table.where(), field.name(), table.problem(field.name()));
            } else if (!isWritten(field)) {
                LOG.debug(
                        "{}: field '{}' is left out: no view takes {}", table.where(), field.name(), field.describe());
            } else if (!field.name().equals(time)) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static void fill(TruthTable table, List<TruthField> fields, VectorSchemaRoot root) throws IOException {
        List<TruthColumn> columns = columns(fields);
        Float8Vector times = (Float8Vector) root.getVector(0);
        ByteBuffer record = ByteBuffer.allocate(4096);
        ByteBuffer value = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
        try (TruthCursor cursor = table.format().newCursor(columns)) {
            for (int i = 0; i < table.records(); i++) {
                times.setSafe(i, table.timeOf(i));
                record = table.read(i, record);
                cursor.load(table, i, table.blob() == null ? null : record);
                int rounded = columns.size() + 1;
                for (int column = 0; column < columns.size(); column++) {
                    TruthField field = fields.get(column);
                    int size = size(cursor, column, field);
                    if (size > value.capacity()) {
                        value = ByteBuffer.allocate(2 * size).order(ByteOrder.nativeOrder());
                    }
                    if (size >= 0 && field.type() != TruthType.UNKNOWN) {
                        cursor.copyTo(column, value, 0);
                    }
                    ArrowFields.put(field, root.getVector(column + 1), i, size, value);
                    if (ArrowFields.isRounded(field)) {
                        ArrowFields.put(field, root.getVector(rounded++), i, size, value);
                    }
                }
            }
        } catch (SampleException e) {
            throw new DatasetException(String.valueOf(e.getMessage()), e);
        }
        root.setRowCount(table.records());
    }

    /** Columns that take each field as it is. */
    static List<TruthColumn> columns(List<TruthField> fields) {
        List<TruthColumn> columns = new ArrayList<>();
        for (TruthField field : fields) {
            ElementType type = switch (field.type()) {
                case BOOL -> ElementType.BOOL;
                case INT64 -> ElementType.INT64;
                default -> ElementType.FLOAT64;
            };
            Column column = field.type() == TruthType.TEXT
                    ? Column.text()
                    : new Column(
                            type,
                            field.rows() ? TensorSpec.Kind.RAGGED : TensorSpec.Kind.DENSE,
                            field.shape(),
                            null,
                            Column.Pick.NEAREST,
                            null,
                            null);
            columns.add(new TruthColumn(field.name(), column));
        }
        return columns;
    }

    /** Bytes of a value; -1 where the record lacks it. */
    static int size(TruthCursor cursor, int column, TruthField field) throws SampleException {
        try {
            return cursor.bytes(column);
        } catch (SampleException e) {
            if (field.optional()) {
                return -1;
            }
            throw e;
        }
    }
}
