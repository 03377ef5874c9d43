package dev.penstock.decode.truth;

import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a view's columns out of one record at a time. One thread only. Serves every table of its format.
 */
public interface TruthCursor extends AutoCloseable {

    /**
     * Goes to a record.
     *
     * @param bytes the record's bytes, position to limit, or null where the table keeps them; must stay as they are
     *     until the next call
     * @throws SampleException when the bytes are no such record, or a wanted field is not what the column needs; the
     *     message says episode, file, line and field
     */
    void load(TruthTable table, int record, @Nullable ByteBuffer bytes) throws SampleException;

    /**
     * Bytes of the value that {@code column} has in this record: fixed for a dense column, rows times row size for a
     * ragged one, UTF-8 bytes for text.
     *
     * @throws SampleException when the record lacks the field
     */
    int bytes(int column) throws SampleException;

    /**
     * Writes that value, in the column's element type and native byte order, to {@code target} from byte {@code at}.
     *
     * @throws SampleException when the record lacks the field
     */
    void copyTo(int column, ByteBuffer target, int at) throws SampleException;

    @Override
    void close();
}
