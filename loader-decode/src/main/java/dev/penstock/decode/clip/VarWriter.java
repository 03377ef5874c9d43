package dev.penstock.decode.clip;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Little-endian base-128 integers (LEB128), zigzag for signed ones; and how to read them back. */
final class VarWriter {
    private byte[] bytes = new byte[1024];
    private int length;

    void putByte(int value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) value;
    }

    void putInt(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            putByte(value >>> shift);
        }
    }

    void unsigned(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            putByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        putByte((int) rest);
    }

    void signed(long value) {
        unsigned((value << 1) ^ (value >> 63));
    }

    void bytes(byte[] value) {
        unsigned(value.length);
        for (byte b : value) {
            putByte(b);
        }
    }

    void string(String value) {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    static long unsigned(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("an integer of more than ten bytes");
    }

    static long signed(ByteBuffer in) {
        long value = unsigned(in);
        return (value >>> 1) ^ -(value & 1);
    }

    static byte[] bytes(ByteBuffer in) {
        long n = unsigned(in);
        if (n < 0 || n > in.remaining()) {
            throw new IllegalArgumentException(n + " bytes of " + in.remaining());
        }
        byte[] value = new byte[(int) n];
        in.get(value);
        return value;
    }
}
