package dev.penstock.decode.ffmpeg;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small H.264 encoder for field pictures, which no encoder of this FFmpeg build writes: Main profile, every frame as
 * two field pictures, macroblocks as raw samples (I_PCM) or copied from the field of the same parity before (P_Skip), so
 * that the decoded pictures are known to the bit. 32 by 32 pixels, seeded.
 *
 * <p>Sources: ITU-T H.264 7.3.2.1 (SPS), 7.3.2.2 (PPS), 7.3.3 (slice header), 7.3.5 (macroblock), 7.4.1.1 (escapes).
 */
final class FieldPictures {
    static final int SIDE = 32;
    static final int FRAME_BYTES = SIDE * SIDE * 3 / 2;

    private static final int BLOCKS = 2;
    private static final int ALL_I = 7;
    private static final int ALL_P = 5;

    /** One field: an access unit part with start codes. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Field(byte[] bytes, int frame, boolean second, boolean key) {}

    private final SplittableRandom random;
    private final List<Field> fields = new ArrayList<>();
    private byte[][] shown;
    /** The last reference frame as decoded. */
    private byte[] reference = new byte[FRAME_BYTES];

    private FieldPictures(int frames, long seed) {
        random = new SplittableRandom(seed);
        shown = new byte[frames][];
    }

    /**
     * @param frames how many
     * @param gop an IDR frame every so many
     * @param reordered whether every second frame is decoded after the one that it is shown before, and nothing refers
     *     to it
     */
    static FieldPictures encode(int frames, int gop, boolean reordered, long seed) {
        FieldPictures clip = new FieldPictures(frames, seed);
        for (int start = 0, idr = 0; start < frames; start += gop, idr++) {
            clip.group(start, Math.min(gop, frames - start), reordered, idr);
        }
        return clip;
    }

    /** The fields in decode order; the first of each group carries the parameter sets. */
    List<Field> fields() {
        return fields;
    }

    /** What a decoder must show for a frame: Y, U, V, frame rows interleaved of both fields. */
    byte[] shown(int frame) {
        return shown[frame];
    }

    int frames() {
        return shown.length;
    }

    private void group(int start, int count, boolean reordered, int idr) {
        int frameNumber = 0;
        frame(start, 0, frameNumber++, true, true, idr);
        int i = 1;
        while (i < count) {
            if (reordered && i + 1 < count) {
                frame(start + i + 1, i + 1, frameNumber++, true, false, idr);
                frame(start + i, i, frameNumber, false, false, idr);
                i += 2;
            } else {
                frame(start + i, i, frameNumber++, true, false, idr);
                i++;
            }
        }
    }

    private void frame(int number, int order, int frameNumber, boolean isReference, boolean idr, int idrNumber) {
        byte[] picture = idr ? new byte[FRAME_BYTES] : reference.clone();
        for (int parity = 0; parity < 2; parity++) {
            ByteArrayOutputStream unit = new ByteArrayOutputStream();
            if (idr && parity == 0) {
                unit.writeBytes(parameterSets());
            }
            boolean raw = idr;
            Bits bits = new Bits();
            bits.ue(0)
                    .ue(raw ? ALL_I : ALL_P)
                    .ue(0)
                    .u(4, frameNumber % 16)
                    .u(1, 1)
                    .u(1, parity);
            boolean idrField = idr && parity == 0;
            if (idrField) {
                bits.ue(idrNumber % 2);
            }
            bits.u(8, (2 * order + parity) % 256);
            if (!raw) {
                bits.u(1, 0).u(1, 0); // the default reference, the default list
            }
            if (isReference) {
                bits.u(idrField ? 2 : 1, 0);
            }
            bits.ue(0).ue(1); // quantizer as it is, no deblocking
            blocks(bits, picture, parity, raw);
            bits.trail();
            int type = idrField ? 5 : 1;
            unit.writeBytes(nal((isReference ? 0x60 : 0) | type, bits.bytes()));
            fields.add(new Field(unit.toByteArray(), number, parity == 1, idrField));
        }
        shown[number] = picture;
        if (isReference) {
            reference = picture;
        }
    }

    /** The field's macroblocks, side by side; in P fields about half of them stay as they were. */
    private void blocks(Bits bits, byte[] picture, int parity, boolean raw) {
        int skipped = 0;
        for (int block = 0; block < BLOCKS; block++) {
            if (!raw && random.nextInt(2) == 0) {
                skipped++;
                continue;
            }
            if (!raw) {
                bits.ue(skipped);
                skipped = 0;
            }
            bits.ue(raw ? 25 : 30).align();
            samples(bits, picture, 0, SIDE, 16, block, parity);
            samples(bits, picture, SIDE * SIDE, SIDE / 2, 8, block, parity);
            samples(bits, picture, SIDE * SIDE * 5 / 4, SIDE / 2, 8, block, parity);
        }
        if (skipped > 0) {
            bits.ue(skipped);
        }
    }

    private void samples(Bits bits, byte[] picture, int plane, int stride, int side, int block, int parity) {
        int base = 40 + random.nextInt(150);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                int value = random.nextInt(16) == 0 ? 0 : base + random.nextInt(8); // zeros, so that escapes are needed
                picture[plane + (2 * y + parity) * stride + block * side + x] = (byte) value;
                bits.u(8, value);
            }
        }
    }

    static byte[] parameterSets() {
        Bits sps = new Bits();
        sps.u(8, 77).u(8, 0).u(8, 30).ue(0).ue(0).ue(0).ue(4).ue(2).u(1, 0); // two reference frames
        sps.ue(BLOCKS - 1).ue(0).u(1, 0).u(1, 0).u(1, 1).u(1, 0); // fields, no mixture within a frame, no crop
        sps.u(1, 1).u(4, 0).u(1, 0).u(1, 0).u(1, 0).u(1, 0); // video usability: no timing, no buffers
        sps.u(1, 1).u(1, 1).ue(0).ue(0).ue(10).ue(10).ue(1).ue(2).trail(); // at most one frame comes out late
        Bits pps = new Bits();
        pps.ue(0)
                .ue(0)
                .u(1, 0)
                .u(1, 0)
                .ue(0)
                .ue(0)
                .ue(0)
                .u(1, 0)
                .u(2, 0)
                .ue(0)
                .ue(0)
                .ue(0)
                .u(1, 1)
                .u(1, 0);
        pps.u(1, 0).trail();
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(nal(0x67, sps.bytes()));
        both.writeBytes(nal(0x68, pps.bytes()));
        return both.toByteArray();
    }

    private static byte[] nal(int header, byte[] payload) {
        ByteArrayOutputStream unit = new ByteArrayOutputStream();
        unit.writeBytes(new byte[] {0, 0, 0, 1, (byte) header});
        int zeros = 0;
        for (byte b : payload) {
            if (zeros == 2 && (b & 0xFC) == 0) {
                unit.write(3);
                zeros = 0;
            }
            unit.write(b);
            zeros = b == 0 ? zeros + 1 : 0;
        }
        return unit.toByteArray();
    }

    /** Bits, most significant first. */
    private static final class Bits {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int held;
        private int count;

        Bits u(int width, int value) {
            for (int i = width - 1; i >= 0; i--) {
                held = held << 1 | (value >> i & 1);
                if (++count == 8) {
                    bytes.write(held);
                    held = 0;
                    count = 0;
                }
            }
            return this;
        }

        /** Exponential Golomb code; signed zero is the same. */
        Bits ue(int value) {
            int width = 32 - Integer.numberOfLeadingZeros(value + 1);
            return u(width - 1, 0).u(width, value + 1);
        }

        Bits align() {
            return count == 0 ? this : u(8 - count, 0);
        }

        Bits trail() {
            return u(1, 1).align();
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}
