package dev.penstock.spi;

import java.io.Serial;

/** {@code next()} waited longer than {@code nextTimeout}. The message has every queue's state and what each worker does. */
public class StallException extends LoaderException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With the state of the pipeline in the message. */
    public StallException(String message) {
        super(message, null);
    }
}
