package dev.penstock.decode.truth;

import java.nio.ByteBuffer;

/** What a text file's first bytes say about its encoding. */
enum ByteOrderMark {
    NONE(0),
    UTF_8(3),
    UTF_16(2),
    UTF_32(4);

    private final int length;

    ByteOrderMark(int length) {
        this.length = length;
    }

    int length() {
        return length;
    }

    static ByteOrderMark of(ByteBuffer head) {
        int at = head.position();
        int a = head.remaining() > 0 ? head.get(at) & 0xFF : -1;
        int b = head.remaining() > 1 ? head.get(at + 1) & 0xFF : -1;
        int c = head.remaining() > 2 ? head.get(at + 2) & 0xFF : -1;
        int d = head.remaining() > 3 ? head.get(at + 3) & 0xFF : -1;
        if (a == 0xEF && b == 0xBB && c == 0xBF) {
            return UTF_8;
        }
        if ((a == 0xFF && b == 0xFE && c == 0 && d == 0) || (a == 0 && b == 0 && c == 0xFE && d == 0xFF)) {
            return UTF_32;
        }
        return (a == 0xFF && b == 0xFE) || (a == 0xFE && b == 0xFF) ? UTF_16 : NONE;
    }
}
