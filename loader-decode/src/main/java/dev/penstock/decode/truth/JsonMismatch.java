package dev.penstock.decode.truth;

import java.io.Serial;

/** A value is not what its column needs. The message says what it is; the cursor adds file, line and field. */
final class JsonMismatch extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    JsonMismatch(String message) {
        super(message);
    }
}
