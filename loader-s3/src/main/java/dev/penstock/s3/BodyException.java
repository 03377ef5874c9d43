package dev.penstock.s3;

import java.io.IOException;
import java.io.Serial;

/** An answer that came whole as HTTP goes but is not what was asked for. */
final class BodyException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    BodyException(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    FailureKind kind() {
        return kind;
    }
}
