package dev.penstock.decode.clip;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A codec's configuration as the container stores it (avcC, hvcC, av1C, ...): immutable bytes with value equality. */
public final class CodecConfig {
    /** No configuration: it lies in the packets, or the codec needs none. */
    public static final CodecConfig NONE = new CodecConfig(new byte[0]);

    private final byte[] bytes;
    private final int hash;

    private CodecConfig(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /** A configuration with a copy of these bytes. */
    public static CodecConfig of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new CodecConfig(bytes.clone());
    }

    /** Number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Byte at a position, 0 to 255. */
    public int at(int position) {
        return bytes[position] & 0xFF;
    }

    /** A copy of the bytes. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return this == object
                || (object instanceof CodecConfig other && hash == other.hash && Arrays.equals(bytes, other.bytes));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
