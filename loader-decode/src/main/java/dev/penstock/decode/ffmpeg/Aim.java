package dev.penstock.decode.ffmpeg;

import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * A native pointer that can be aimed anew, so that calls in a loop allocate nothing. It owns nothing. For one thread.
 */
final class Aim extends BytePointer {

    Aim() {
        super((Pointer) null);
    }

    /** Points at {@code address}; the memory there must outlive the calls that this is passed to. */
    Aim at(long address) {
        this.address = address;
        return this;
    }

    /** The native address of a direct buffer's byte 0, whatever its position. */
    static long addressOf(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("the target must be a direct buffer");
        }
        return getDirectBufferAddress(direct);
    }
}
