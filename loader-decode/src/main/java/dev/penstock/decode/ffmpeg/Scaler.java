package dev.penstock.decode.ffmpeg;

import dev.penstock.data.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * Turns decoded pictures into training pixels: crop, resize, colour conversion, turn, layout and element type, written
 * straight into batch memory.
 *
 * <p>Exactly {@link PictureTransform#bytes()} bytes are written, every one of them, and none beside them. The result
 * depends on the picture and the transform alone: the same bytes for HWC, CHW and (normalized) float32, and on every
 * x86-64 processor with SSSE3; docs/scaling.md has the figures and what differs from other libraries. The picture is
 * read only, interlaced pictures included (fields are not separated). Untagged colours: see
 * {@link PictureTransform#colour()}.
 *
 * <p>What is worked out for one kind of picture is kept (up to a limit, least recently used first out), so that a
 * picture of a known kind allocates nothing on the heap. One thread at a time; {@link #close} frees native memory.
 */
public final class Scaler implements AutoCloseable {

    private static final int DEFAULT_PLANS = 16;

    private final int limit;
    /** Most recently used last. */
    private final List<ScalePlan> plans;

    private final Scratch planes = new Scratch();
    private final Scratch copies = new Scratch();
    private boolean closed;

    /** A scaler that keeps what it worked out for 16 kinds of picture. */
    public Scaler() {
        this(DEFAULT_PLANS);
    }

    /**
     * A scaler that keeps what it worked out for {@code limit} kinds of picture.
     *
     * @throws IllegalArgumentException when {@code limit} is less than 1
     */
    public Scaler(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit was " + limit + ", must be at least 1");
        }
        FfmpegLibrary.load();
        this.limit = limit;
        this.plans = new ArrayList<>(limit);
    }

    /**
     * Writes one picture.
     *
     * @param frame a decoded picture in main memory
     * @param shape how the clip's pictures are shown
     * @param transform what becomes of it
     * @param target direct, native byte order; its position and limit are not used
     * @param offset the byte of {@code target} where the result starts; a multiple of 4 for float32 is fastest
     * @throws IllegalArgumentException when the picture's format or colour space can't be converted
     * @throws IndexOutOfBoundsException when the result would pass the end of {@code target}
     */
    public void scale(AVFrame frame, DisplayShape shape, PictureTransform transform, ByteBuffer target, int offset) {
        if (closed) {
            throw new IllegalStateException("this scaler is closed");
        }
        check(transform, target, offset);
        plan(frame, shape, transform).run(frame, target, offset, planes, copies);
    }

    private static void check(PictureTransform transform, ByteBuffer target, int offset) {
        int bytes = transform.bytes();
        if (offset < 0 || offset > target.capacity() - bytes) {
            throw new IndexOutOfBoundsException(
                    "a picture of " + bytes + " bytes at byte " + offset + " of a target of " + target.capacity());
        }
        if (target.limit() < offset + bytes) {
            throw new IndexOutOfBoundsException("a picture of " + bytes + " bytes at byte " + offset
                    + " of a target whose limit is " + target.limit());
        }
        if (transform.type() == ElementType.FLOAT32 && target.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("the target's byte order must be the machine's");
        }
    }

    private ScalePlan plan(AVFrame frame, DisplayShape shape, PictureTransform transform) {
        int last = plans.size() - 1;
        for (int i = last; i >= 0; i--) {
            ScalePlan plan = plans.get(i);
            if (plan.fits(frame, shape, transform)) {
                if (i != last) {
                    plans.remove(i);
                    plans.add(plan);
                }
                return plan;
            }
        }
        if (frame.width() < 1 || frame.height() < 1) {
            throw new IllegalArgumentException("picture of " + frame.width() + "x" + frame.height() + " pixels");
        }
        ScalePlan plan = new ScalePlan(frame, shape, transform);
        if (plans.size() == limit) {
            plans.remove(0).close();
        }
        plans.add(plan);
        return plan;
    }

    /** Kinds of picture that are kept now. */
    int plans() {
        return plans.size();
    }

    /** Frees the native memory. Idempotent. */
    @Override
    public void close() {
        closed = true;
        plans.forEach(ScalePlan::close);
        plans.clear();
        planes.close();
        copies.close();
    }
}
