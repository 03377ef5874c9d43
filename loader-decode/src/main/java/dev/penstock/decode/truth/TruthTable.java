package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One list of truth records of one episode, in order of time. Thread-safe: all methods may be called from any thread
 * until {@link #close()}.
 *
 * <p>Records of files are read by ranges when they are wanted ({@link #blob()}, {@link #offset}, {@link #length});
 * records that are in memory or mapped have length 0.
 */
public interface TruthTable extends AutoCloseable {

    /** What a record's values hold for. */
    enum Form {
        /** The whole episode: one record. */
        EPISODE,
        /** An instant in seconds. */
        TIME,
        /** A frame of the reference clip, whose time it takes. */
        FRAME
    }

    /** The format that reads it. */
    TruthFormat format();

    /** Where it is, for messages: a file, or index and line of inline truth. */
    String where();

    /** Changes when the content does, and not when its address does. */
    String identity();

    /** Its fields, by the names that a view uses. */
    TruthSchema schema();

    /** Why the values of a field of type {@link TruthType#MIXED} don't go together, with file and line, or null. */
    @Nullable
    String problem(String field);

    /**
     * Whether it is one record that holds for the whole episode: then {@link #records()} is 1 and the record stands for
     * every instant.
     */
    default boolean constant() {
        return form() == Form.EPISODE;
    }

    /** What its records hold for. */
    Form form();

    /** The number of records. */
    int records();

    /** Seconds on the episode's clock, ascending; records with equal times keep the file's order. */
    double timeOf(int record);

    /** Where the records' bytes are; null where all are in memory. */
    @Nullable
    Blob blob();

    /** Where the bytes of {@code record} start in {@link #blob()}. */
    long offset(int record);

    /** Bytes of {@code record} in {@link #blob()}; 0 where it is in memory. */
    int length(int record);

    /**
     * Reads the bytes of one record.
     *
     * @param room memory of an earlier call, used again where it is large enough
     * @return the record from position 0 to the limit; {@code room} as it was where records are in memory
     */
    default ByteBuffer read(int record, ByteBuffer room) throws IOException {
        Blob blob = blob();
        if (blob == null) {
            return room;
        }
        int length = length(record);
        ByteBuffer bytes = length <= room.capacity() ? room : ByteBuffer.allocate(2 * length);
        bytes.clear().limit(length);
        blob.read(offset(record), bytes);
        return bytes.flip();
    }

    /** Lets go of the file. Cursors must not be used on it any more. */
    @Override
    void close();
}
