package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FrameDecoder} and a {@link Scaler} together, for callers that know nothing of FFmpeg: decodes a plan's
 * frames and lets the caller write each one, scaled, to as many places as it likes. One thread at a time.
 */
public final class SlotDecoder implements AutoCloseable {
    private final FrameDecoder decoder;
    private final Scaler scaler = new Scaler();
    private final Picture picture = new Picture();
    private final FrameSink sink = this::show;

    /** The caller of the call at hand; null between calls. */
    private @Nullable PictureSink caller;

    /** Takes decoded pictures, on the decoder's thread. */
    @FunctionalInterface
    public interface PictureSink {
        /**
         * One wanted frame.
         *
         * @param wantedOrdinal the frame's position in the plan's list of wanted frames
         * @param picture valid during the call only
         */
        void picture(int wantedOrdinal, Picture picture) throws IOException;
    }

    /** A decoded picture that can be written out. */
    public final class Picture {
        private @Nullable AVFrame frame;
        private DisplayShape shape = DisplayShape.AS_CODED;

        private Picture() {}

        /**
         * Writes the picture; see {@link Scaler#scale}.
         *
         * @param target direct, native byte order; its position and limit are not used
         * @param offset the byte of {@code target} where the result starts
         */
        public void writeTo(PictureTransform transform, ByteBuffer target, int offset) {
            AVFrame decoded = frame;
            if (decoded == null) {
                throw new IllegalStateException("a picture is valid only while the sink is called");
            }
            scaler.scale(decoded, shape, transform, target, offset);
        }
    }

    /** A decoder with these limits. */
    public SlotDecoder(DecodeLimits limits) {
        this.decoder = new FrameDecoder(limits, FrameDecoder.DEFAULT_CONTEXTS);
    }

    /**
     * Decodes the plan's wanted frames; see {@link FrameDecoder#decode}.
     *
     * @param shape how the clip's pictures are shown
     */
    public void decode(
            ClipIndex index,
            WindowPlan plan,
            ByteBuffer bytes,
            @Nullable Blob again,
            DisplayShape shape,
            PictureSink pictures)
            throws IOException {
        caller = pictures;
        picture.shape = shape;
        try {
            decoder.decode(index, plan, bytes, again, sink);
        } finally {
            caller = null;
            picture.frame = null;
        }
    }

    /** Where decoding could continue; see {@link FrameDecoder#resumePacket}. */
    public int resumePacket(ClipIndex index) {
        return decoder.resumePacket(index);
    }

    private void show(int ordinal, AVFrame frame) throws IOException {
        PictureSink pictures = caller;
        if (pictures != null) {
            picture.frame = frame;
            pictures.picture(ordinal, picture);
        }
    }

    /** Frees codec contexts and scratch. Idempotent. */
    @Override
    public void close() {
        decoder.close();
        scaler.close();
    }
}
