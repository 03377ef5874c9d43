package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.av_image_copy_to_buffer;
import static org.bytedeco.ffmpeg.global.avutil.av_image_get_buffer_size;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.spi.Blob;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames to plain bytes at their own size: RGB, or the decoder's own planes. Reads the bytes itself. Owned by
 * one thread; {@link #close} frees all native memory.
 */
public final class PictureDecoder implements AutoCloseable {
    /** What the pixels of a picture are. */
    public enum Pixels {
        /** {@code [H, W, 3]} bytes, R, G, B, converted by the frame's own colour matrix and range. */
        RGB24,
        /** The decoder's planes, one after another without padding, as {@code ffmpeg -f framemd5} hashes them. */
        NATIVE
    }

    private static final int KEPT_TRANSFORMS = 16;

    private final FrameDecoder decoder;
    private final DecodeLimits limits;
    private final Pixels pixels;
    private final boolean rotate;
    private final @Nullable Size target;
    private final Scaler scaler = new Scaler();
    private final Map<Size, PictureTransform> transforms = new LinkedHashMap<>();
    private BytePointer memory = new BytePointer(64L << 10);
    private ByteBuffer view = memory.asByteBuffer();

    /**
     * @param rotate whether the clip's turn and mirror are applied to RGB pictures
     * @param target what RGB pictures are scaled to, or null for their own size
     */
    public PictureDecoder(DecodeLimits limits, Pixels pixels, boolean rotate, @Nullable Size target) {
        this.decoder = new FrameDecoder(limits, 1);
        this.limits = limits;
        this.pixels = pixels;
        this.rotate = rotate;
        this.target = target;
    }

    /** Where decoding could continue; see {@link FrameDecoder#resumePacket}. */
    public int resumePacket(ClipIndex index) {
        return decoder.resumePacket(index);
    }

    /** Delivers the plan's wanted frames; see {@link FrameDecoder#decode} for order and failures. */
    public void decode(ClipIndex index, WindowPlan plan, Blob blob, PictureSink sink) throws IOException {
        if (plan.byteCount() > limits.maxWindowBytes()) {
            throw new ClipException(
                    ClipException.Kind.LIMIT,
                    index.uri(),
                    "the frames asked for need " + plan.byteCount() + " bytes at once; the limit is "
                            + limits.maxWindowBytes());
        }
        DisplayShape shape = rotate ? DisplayShape.of(index) : DisplayShape.AS_CODED;
        decoder.decode(index, plan, read(plan, blob), blob, (ordinal, frame) -> {
            if (pixels == Pixels.NATIVE) {
                copy(ordinal, frame, sink);
            } else {
                convert(ordinal, frame, shape, sink);
            }
        });
    }

    private ByteBuffer read(WindowPlan plan, Blob blob) throws IOException {
        if (view.capacity() < plan.byteCount()) {
            memory.close();
            memory = new BytePointer(plan.byteCount());
            view = memory.asByteBuffer();
        }
        return plan.read(blob, view);
    }

    private static void copy(int ordinal, AVFrame frame, PictureSink sink) throws IOException {
        int bytes = av_image_get_buffer_size(frame.format(), frame.width(), frame.height(), 1);
        ByteBuffer target = sink.target(bytes);
        BytePointer pointer = new BytePointer(target);
        av_image_copy_to_buffer(
                pointer, bytes, frame.data(), frame.linesize(), frame.format(), frame.width(), frame.height(), 1);
        String format = StreamFormats.pixelFormat(frame.format());
        sink.picture(
                ordinal,
                frame.width(),
                frame.height(),
                format,
                target.position(0).limit(bytes));
    }

    private void convert(int ordinal, AVFrame frame, DisplayShape shape, PictureSink sink) throws IOException {
        Size size = target == null ? ownSize(frame, shape) : target;
        PictureTransform transform = transformTo(size);
        ByteBuffer memory = sink.target(transform.bytes());
        scaler.scale(frame, shape, transform, memory, 0);
        sink.picture(
                ordinal,
                size.width(),
                size.height(),
                "rgb24",
                memory.position(0).limit(transform.bytes()));
    }

    private static Size ownSize(AVFrame frame, DisplayShape shape) {
        return shape.turn().transpose()
                ? Size.of(frame.height(), frame.width())
                : Size.of(frame.width(), frame.height());
    }

    private PictureTransform transformTo(Size size) {
        PictureTransform known = transforms.get(size);
        if (known == null) {
            if (transforms.size() == KEPT_TRANSFORMS) {
                transforms.clear();
            }
            known = PictureTransform.of(size, Layout.THWC);
            transforms.put(size, known);
        }
        return known;
    }

    @Override
    public void close() {
        decoder.close();
        scaler.close();
        memory.close();
    }
}
