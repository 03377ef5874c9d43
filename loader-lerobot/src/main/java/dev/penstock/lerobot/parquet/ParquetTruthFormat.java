package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.StoredTruth;
import dev.penstock.decode.truth.StoredTruthCursor;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthCursor;
import dev.penstock.decode.truth.TruthFormat;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Truth in Parquet files: a row is a record, structs are dotted names, lists of one length are fixed shapes and others rows.
 * The wanted columns are read when the truth is opened and stay in memory, in the width that they have in the file.
 *
 * <p>A row's time is its {@code time} in seconds, else its {@code frame} in the reference clip, else its {@code timestamp}
 * (LeRobot's name). Options, for {@link dev.penstock.decode.TruthReference}:
 *
 * <ul>
 *   <li>{@code episode}: only the rows whose {@code episode_index} is this, in a file of several episodes;
 *   <li>{@code fps}: times that lie within 0.1 ms of a frame of this rate are that frame's, and rows without any time are
 *       that many a second;
 *   <li>{@code tasks}: a list of texts, of which the field {@code task} has the one that the row's {@code task_index} says.
 * </ul>
 */
public final class ParquetTruthFormat implements TruthFormat {
    private final ParquetCache cache = new ParquetCache();

    /** For {@link java.util.ServiceLoader}. */
    public ParquetTruthFormat() {}

    @Override
    public String name() {
        return "Parquet";
    }

    @Override
    public boolean recognises(String fileName, ByteBuffer head) {
        return head.remaining() >= 4 && head.getInt(head.position()) == 0x50415231; // PAR1
    }

    @Override
    public List<TruthTable> open(TruthInput input, Blob blob) throws IOException {
        try (blob) {
            StoredTruth table = new ParquetRows(this, cache, input, blob).table();
            return List.of(table);
        }
    }

    @Override
    public TruthCursor newCursor(List<TruthColumn> columns) {
        return new StoredTruthCursor(columns);
    }

    /** Whether a column is one number a row. */
    static boolean isNumber(StoredColumn column) {
        return switch (column.field().type()) {
            case INT64, FLOAT64 ->
                column.field().shape().isEmpty() && !column.field().rows();
            default -> false;
        };
    }
}
