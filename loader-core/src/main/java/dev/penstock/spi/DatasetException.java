package dev.penstock.spi;

import java.io.IOException;
import java.io.Serial;

/** A dataset that can't be opened or can't serve a view. The message says what, where, why and what to do. */
public class DatasetException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With one clear line. */
    public DatasetException(String message) {
        super(message);
    }

    /** With one clear line and the failure underneath. */
    public DatasetException(String message, Throwable cause) {
        super(message, cause);
    }
}
