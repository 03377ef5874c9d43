package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import org.jspecify.annotations.Nullable;

/** Open codec contexts by codec parameters; at the limit the least recently used one is closed. One owner thread. */
final class ContextPool implements AutoCloseable {
    private final DecodeLimits limits;
    private final @Nullable CodecContext[] contexts;
    private final long[] used;
    private long clock;
    private long opened;

    ContextPool(DecodeLimits limits, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("contexts was " + size + ", must be at least 1");
        }
        this.limits = limits;
        contexts = new CodecContext[size];
        used = new long[size];
    }

    CodecContext contextFor(ClipIndex index) throws ClipException {
        int slot = find(index);
        CodecContext context = contexts[slot];
        if (context == null || !context.format().sameDecoder(index.format())) {
            CodecContext fresh = CodecContext.open(index.uri(), index.format(), limits);
            opened++;
            if (context != null) {
                context.close();
            }
            context = fresh;
            contexts[slot] = fresh;
        }
        used[slot] = ++clock;
        return context;
    }

    /** The slot of the clip's context, else a free one, else the least recently used. */
    private int find(ClipIndex index) {
        int oldest = 0;
        for (int i = 0; i < contexts.length; i++) {
            CodecContext context = contexts[i];
            if (context == null) {
                return i;
            }
            if (context.format().sameDecoder(index.format())) {
                return i;
            }
            if (used[i] < used[oldest]) {
                oldest = i;
            }
        }
        return oldest;
    }

    /** The clip's context if it is open. */
    @Nullable
    CodecContext peek(ClipIndex index) {
        for (CodecContext context : contexts) {
            if (context != null && context.format().sameDecoder(index.format())) {
                return context;
            }
        }
        return null;
    }

    long opened() {
        return opened;
    }

    @Override
    public void close() {
        for (int i = 0; i < contexts.length; i++) {
            CodecContext context = contexts[i];
            contexts[i] = null;
            if (context != null) {
                context.close();
            }
        }
    }
}
