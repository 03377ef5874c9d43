package dev.penstock.data;

/** The type of one tensor element, in the machine's native byte order. */
public enum ElementType {
    /** Unsigned byte: pixels, masks, text. */
    UINT8(1),
    /** One byte, 0 or 1. */
    BOOL(1),
    /** Signed 32-bit integer. */
    INT32(4),
    /** Signed 64-bit integer. */
    INT64(8),
    /** IEEE 754 single. */
    FLOAT32(4),
    /** IEEE 754 double. */
    FLOAT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
