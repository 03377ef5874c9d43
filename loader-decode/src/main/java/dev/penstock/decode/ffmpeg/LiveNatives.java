package dev.penstock.decode.ffmpeg;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many of our objects hold memory of FFmpeg's that only their {@code close()} frees: decoders, scalers, demuxers,
 * encoders. FFmpeg's allocator keeps no books; this lets a test see that nothing was forgotten. Thread-safe.
 */
final class LiveNatives {
    private static final AtomicInteger LIVE = new AtomicInteger();

    private LiveNatives() {}

    /** One more. */
    static void opened() {
        LIVE.incrementAndGet();
    }

    /** One fewer; once for each {@link #opened}. */
    static void closed() {
        LIVE.decrementAndGet();
    }

    /** Objects of this JVM that are not closed. */
    static int count() {
        return LIVE.get();
    }
}
