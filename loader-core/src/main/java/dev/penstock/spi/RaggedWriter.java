package dev.penstock.spi;

import java.nio.ByteBuffer;

/** Appends rows of different length, in order of batch row: values, then {@link #endRow()}. Owned by the collator. */
public interface RaggedWriter {

    /**
     * The values' memory with at least {@code bytes} free behind its position: put values there (relative puts). The
     * buffer may be another one after the next call.
     */
    ByteBuffer reserve(int bytes);

    /** Ends the present row's values: each row ends once, empty ones too. */
    void endRow();
}
