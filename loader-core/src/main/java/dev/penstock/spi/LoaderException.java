package dev.penstock.spi;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What a loader's {@code next()} throws: a sample that can't be had, a stall, a stage that broke. One clear line: what,
 * where, why, what to do. The loader is at its end afterwards; {@code close()} it.
 */
public class LoaderException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient @Nullable SampleIdentity sample;

    /** A failure of the pipeline. */
    public LoaderException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    /** A failure of one sample. */
    public LoaderException(String message, @Nullable SampleIdentity sample, @Nullable Throwable cause) {
        super(message, cause);
        this.sample = sample;
    }

    /** The sample, where it was one. */
    public @Nullable SampleIdentity sample() {
        return sample;
    }
}
