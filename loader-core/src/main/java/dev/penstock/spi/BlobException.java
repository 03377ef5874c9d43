package dev.penstock.spi;

import java.io.IOException;
import java.io.Serial;

/** A blob that can't be read. The message names the blob, the reason and what to check. */
public class BlobException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    /**
     * @param message what, where, why, what to do
     * @param retryable whether it is worth asking again: see {@link #isRetryable}
     */
    public BlobException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    /** As above, with the failure underneath. */
    public BlobException(String message, boolean retryable, Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    /**
     * Whether it is worth asking again. False for what never passes, and also where the store itself has tried for as long
     * as its settings allow: who tried again on top of that would multiply its patience.
     */
    public boolean isRetryable() {
        return retryable;
    }
}
