package dev.penstock.decode.ffmpeg;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * The plane addresses and row strides of one picture, in native memory as swscale takes them. Made once, refilled for
 * every picture. For one thread.
 */
final class Planes {

    private static final int PLANES = 4;
    private static final int STRIDES_AT = PLANES * Long.BYTES;

    /** Keeps the memory alive that the two pointers show. */
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(STRIDES_AT + PLANES * Integer.BYTES).order(ByteOrder.nativeOrder());

    private final Addresses addresses = new Addresses(Aim.addressOf(memory));
    private final Strides strides = new Strides(Aim.addressOf(memory) + STRIDES_AT);

    void set(int plane, long address, int stride) {
        memory.putLong(plane * Long.BYTES, address);
        memory.putInt(STRIDES_AT + plane * Integer.BYTES, stride);
    }

    /** One packed plane, such as RGB24. */
    Planes packed(long address, int stride) {
        set(0, address, stride);
        for (int plane = 1; plane < PLANES; plane++) {
            set(plane, 0, 0);
        }
        return this;
    }

    /** Planes that lie R, G, B, in FFmpeg's order G, B, R. */
    Planes rgb(long red, long planeBytes, int stride) {
        set(0, red + planeBytes, stride);
        set(1, red + 2 * planeBytes, stride);
        set(2, red, stride);
        set(3, 0, 0);
        return this;
    }

    long address(int plane) {
        return memory.getLong(plane * Long.BYTES);
    }

    int stride(int plane) {
        return memory.getInt(STRIDES_AT + plane * Integer.BYTES);
    }

    PointerPointer<Pointer> addresses() {
        return addresses;
    }

    IntPointer strides() {
        return strides;
    }

    private static final class Addresses extends PointerPointer<Pointer> {
        Addresses(long address) {
            super((Pointer) null);
            this.address = address;
        }
    }

    private static final class Strides extends IntPointer {
        Strides(long address) {
            super((Pointer) null);
            this.address = address;
        }
    }
}
