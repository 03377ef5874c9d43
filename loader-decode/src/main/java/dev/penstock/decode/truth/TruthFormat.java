package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A kind of truth file. JSON is built in; others are found through {@link java.util.ServiceLoader}. Thread-safe; one
 * instance for the JVM.
 */
public interface TruthFormat {

    /** Bytes that {@link #recognises} is shown, or all where a file is shorter. */
    int HEAD_BYTES = 64;

    /** For messages: {@code JSON}. */
    String name();

    /** Whether a file that starts with {@code head} (position to limit) is of this kind. */
    boolean recognises(String fileName, ByteBuffer head);

    /**
     * Opens a file: learns its records' times and places and its schema. The tables own {@code blob}; when this throws,
     * the caller closes it.
     *
     * @throws dev.penstock.spi.DatasetException when it is no right truth; the message says episode, file, line, field
     */
    List<TruthTable> open(TruthInput input, Blob blob) throws IOException;

    /** A cursor for one thread over any table of this format. */
    TruthCursor newCursor(List<TruthColumn> columns);
}
