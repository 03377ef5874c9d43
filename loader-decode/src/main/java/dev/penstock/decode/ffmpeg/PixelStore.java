package dev.penstock.decode.ffmpeg;

import java.nio.ByteBuffer;

/**
 * Rows of one channel from scratch planes into a target, with any step on either side: what turns, mirrors, interleaves
 * and normalizes. Absolute reads and writes; positions are left alone.
 */
final class PixelStore {

    private PixelStore() {}

    /** {@code n} bytes, {@code sourceStep} and {@code targetStep} bytes apart. */
    static void bytes(ByteBuffer source, int from, int sourceStep, ByteBuffer target, int to, int targetStep, int n) {
        int s = from;
        int t = to;
        for (int i = 0; i < n; i++) {
            target.put(t, source.get(s));
            s += sourceStep;
            t += targetStep;
        }
    }

    /** {@code n} bytes to floats by a table of 256; steps in bytes. */
    static void floats(
            ByteBuffer source,
            int from,
            int sourceStep,
            ByteBuffer target,
            int to,
            int targetStep,
            int n,
            float[] table) {
        if (sourceStep == 1 && targetStep == Float.BYTES) {
            floats(source, from, target, to, n, table);
            return;
        }
        int s = from;
        int t = to;
        for (int i = 0; i < n; i++) {
            target.putFloat(t, table[source.get(s) & 0xff]);
            s += sourceStep;
            t += targetStep;
        }
    }

    /** The common case apart, so that the compiler knows its steps. */
    private static void floats(ByteBuffer source, int from, ByteBuffer target, int to, int n, float[] table) {
        for (int i = 0; i < n; i++) {
            target.putFloat(to + i * Float.BYTES, table[source.get(from + i) & 0xff]);
        }
    }
}
