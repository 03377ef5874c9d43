package dev.penstock;

import java.io.Serial;
import java.util.List;

/** A state that does not fit the loader that is to go on from it. The message lists every difference. */
public final class ResumeException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    ResumeException(List<String> differences) {
        super("can't resume from this state: " + String.join("; ", differences));
    }
}
