package dev.penstock.decode.truth;

import java.nio.ByteBuffer;

/** Encodes characters without making a String. */
final class Utf8 {
    private Utf8() {}

    /**
     * Appends {@code count} characters as UTF-8, at most three bytes each. A surrogate without its partner becomes
     * U+FFFD.
     */
    static void encode(char[] chars, int from, int count, ByteBuffer target) {
        int end = from + count;
        for (int i = from; i < end; i++) {
            char c = chars[i];
            if (c < 0x80) {
                target.put((byte) c);
            } else if (c < 0x800) {
                target.put(lead(0xC0, c >> 6)).put(tail(c));
            } else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(chars[i + 1])) {
                int point = Character.toCodePoint(c, chars[++i]);
                target.put(lead(0xF0, point >> 18)).put(tail(point >> 12));
                target.put(tail(point >> 6)).put(tail(point));
            } else {
                int point = Character.isSurrogate(c) ? 0xFFFD : c;
                target.put(lead(0xE0, point >> 12)).put(tail(point >> 6));
                target.put(tail(point));
            }
        }
    }

    private static byte lead(int marker, int bits) {
        return (byte) (marker | bits);
    }

    private static byte tail(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }
}
