package dev.penstock.s3;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Where one attempt's bytes go: straight into the caller's memory, until it is shut.
 *
 * <p>The caller may give its memory to somebody else as soon as its read has ended, while an attempt that was given up
 * still receives. So every copy is made under the sink's monitor, and after {@link #shut} none is made. The bytes come in
 * heap buffers of up to 8 KB from the HTTP client; this copy is the only one.
 */
final class RangeSink {
    private final ByteBuffer target;
    private final int size;
    private final @Nullable MessageDigest digest;
    /** Guarded by this. */
    private boolean shut;

    /**
     * @param target a view of its own of the memory to fill, all that remains
     * @param digest reads along, or null
     */
    RangeSink(ByteBuffer target, @Nullable MessageDigest digest) {
        this.target = target;
        this.size = target.remaining();
        this.digest = digest;
    }

    int size() {
        return size;
    }

    /** Copies what came; false when the sink was shut or the bytes are too many. */
    synchronized boolean put(ByteBuffer bytes) {
        if (shut || bytes.remaining() > target.remaining()) {
            return false;
        }
        if (digest != null) {
            digest.update(bytes.duplicate());
        }
        target.put(bytes);
        return true;
    }

    synchronized int missing() {
        return target.remaining();
    }

    /** The digest of what came, in hexadecimal; empty without one. */
    synchronized String digest() {
        return digest == null ? "" : java.util.HexFormat.of().formatHex(digest.digest());
    }

    /** After this nothing is written any more. */
    synchronized void shut() {
        shut = true;
    }
}
