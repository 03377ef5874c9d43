package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.data.ElementType;
import dev.penstock.view.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bytedeco.ffmpeg.avutil.AVComponentDescriptor;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVPixFmtDescriptor;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Everything worked out for one kind of picture and one transform: geometry, swscale contexts, tables. For one thread;
 * {@link #close} frees the contexts.
 *
 * <p>Steps: an 8-bit 4:2:0 picture of another size is resized as it is, in 4:2:0, into scratch memory. Then swscale reads
 * it, or the cropped picture where the decoder left it, and writes R, G, B planes: into the target where they fit there
 * as they are, else into scratch memory, from which they are copied, interleaved, turned or normalized. swscale writes its rows in pieces of up to 16 pixels, so only widths that are multiples of 16 are written
 * in place; a row's end would overwrite the neighbour's first pixels otherwise.
 */
final class ScalePlan implements AutoCloseable {

    private static final int PIECE = 16;
    private static final int ROW_ALIGNMENT = 64;

    private final int width;
    private final int height;
    private final int format;
    private final int colourSpace;
    private final int colourRange;
    private final DisplayShape shape;
    private final PictureTransform transform;

    private final SourceFormat source;
    private final PictureGeometry geometry;
    private final long[] cropBytes = new long[4];
    private final int[] cropRows = new int[4];
    private final @Nullable ByteBuffer middleChroma;
    private final int middleStride;

    /** 8-bit 4:2:0: swscale's special converters make the RGB. */
    private final boolean converting;
    /** The special converters need a width of 16n and a height of 2n: the result is smaller than what they write. */
    private final boolean padded;
    /** swscale writes the target itself. */
    private final boolean direct;

    private final int passWidth;
    private final int passHeight;
    private final int planeStride;
    /** Before {@link #pass}, where the special converters need it. */
    private final @Nullable SwsPass resizing;

    private final SwsPass pass;
    private final @Nullable SwsPass interleaving;
    private final float[][] tables;
    private final @Nullable Letterbox letterbox;

    private final Planes from = new Planes();
    private final Planes to = new Planes();
    private final FrameData frameData = new FrameData();
    private final Aim copyFrom = new Aim();
    private final Aim copyTo = new Aim();

    ScalePlan(AVFrame frame, DisplayShape shape, PictureTransform transform) {
        width = frame.width();
        height = frame.height();
        format = frame.format();
        colourSpace = frame.colorspace();
        colourRange = frame.color_range();
        this.shape = shape;
        this.transform = transform;
        source = SourceFormat.of(format, colourSpace, colourRange, height, transform.colour());
        AVPixFmtDescriptor descriptor = Objects.requireNonNull(av_pix_fmt_desc_get(source.format()));
        boolean bits = (descriptor.flags() & AV_PIX_FMT_FLAG_BITSTREAM) != 0;
        geometry = PictureGeometry.of(
                width,
                height,
                shape,
                transform,
                Math.max(bits ? 8 : 1, 1 << descriptor.log2_chroma_w()),
                1 << descriptor.log2_chroma_h());
        findCrop(descriptor, bits);
        middleStride = up(width, ROW_ALIGNMENT);
        middleChroma = source.greyAsYuv() ? middle(descriptor.comp(0).depth()) : null;

        converting = source.format() == AV_PIX_FMT_YUV420P && !source.greyAsYuv() && !transform.fullChroma();
        passWidth = converting ? up(geometry.scaledWidth(), PIECE) : geometry.scaledWidth();
        passHeight = converting ? up(geometry.scaledHeight(), 2) : geometry.scaledHeight();
        padded = converting && (passWidth != geometry.scaledWidth() || passHeight != geometry.scaledHeight());
        planeStride = up(passWidth, ROW_ALIGNMENT);
        boolean rowsFit = upright() && !padded && passWidth % PIECE == 0 && transform.type() == ElementType.UINT8;
        boolean interleaved = transform.layout() == Layout.THWC;
        direct = rowsFit && (!interleaved || converting);
        tables = transform.type() == ElementType.FLOAT32
                ? new float[][] {transform.normalized(0), transform.normalized(1), transform.normalized(2)}
                : new float[3][];
        letterbox = Letterbox.needed(transform, geometry) ? new Letterbox(transform, geometry, tables) : null;
        try (Opened passes = new Opened()) {
            resizing = converting && !geometry.unscaled() ? passes.add(openResizing()) : null;
            pass = passes.add(openPass(direct && interleaved ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_GBRP));
            interleaving = !direct && interleaved && upright() && transform.type() == ElementType.UINT8
                    ? passes.add(SwsPass.interleaving(geometry.scaledWidth(), geometry.scaledHeight()))
                    : null;
            passes.keep();
        }
    }

    /** Whether this plan was made for such a picture. */
    boolean fits(AVFrame frame, DisplayShape otherShape, PictureTransform other) {
        return frame.width() == width
                && frame.height() == height
                && frame.format() == format
                && frame.colorspace() == colourSpace
                && frame.color_range() == colourRange
                && transform.equals(other)
                && shape.equals(otherShape);
    }

    private boolean upright() {
        return !geometry.turn().transpose() && !geometry.turn().mirrorX();
    }

    private void findCrop(AVPixFmtDescriptor descriptor, boolean bits) {
        for (int i = descriptor.nb_components() - 1; i >= 0; i--) {
            AVComponentDescriptor component = descriptor.comp(i);
            boolean chroma = (i == 1 || i == 2) && !source.rgb();
            int x = chroma ? geometry.cropX() >> descriptor.log2_chroma_w() : geometry.cropX();
            int plane = component.plane();
            cropBytes[plane] = bits ? (long) x * component.step() / 8 : (long) x * component.step();
            cropRows[plane] = chroma ? geometry.cropY() >> descriptor.log2_chroma_h() : geometry.cropY();
        }
    }

    /** A plane of colourless chroma; swscale refuses a stride of 0, so one row does not do. */
    private ByteBuffer middle(int depth) {
        ByteBuffer plane = ByteBuffer.allocateDirect(middleStride * ((height + 1) / 2) + ROW_ALIGNMENT)
                .order(ByteOrder.nativeOrder());
        while (plane.remaining() > 1) {
            if (depth == 8) {
                plane.put((byte) 0x80);
            } else {
                plane.putShort((short) (1 << (depth - 1)));
            }
        }
        return plane;
    }

    private SwsPass openPass(int targetFormat) {
        return converting
                ? SwsPass.converting(passWidth, passHeight, source, targetFormat)
                : SwsPass.scaling(
                        geometry.cropWidth(),
                        geometry.cropHeight(),
                        source,
                        passWidth,
                        passHeight,
                        targetFormat,
                        transform.filter());
    }

    private SwsPass openResizing() {
        return SwsPass.resizing(
                geometry.cropWidth(),
                geometry.cropHeight(),
                source,
                geometry.scaledWidth(),
                geometry.scaledHeight(),
                transform.filter());
    }

    /** Writes one result at byte {@code offset} of {@code target}. */
    void run(AVFrame frame, ByteBuffer target, int offset, Scratch planes, Scratch copies) {
        if (letterbox != null) {
            letterbox.fill(target, offset);
        }
        readFrom(frame);
        if (resizing != null) {
            resize(resizing, copies);
        } else if (padded) {
            copyPadded(copies);
        }
        long address = Aim.addressOf(target) + offset;
        if (direct) {
            pass.run(from, targetPlanes(address));
            return;
        }
        long planeBytes = (long) planeStride * passHeight;
        planes.atLeast(3 * planeBytes + ROW_ALIGNMENT);
        pass.run(from, to.rgb(planes.address(), planeBytes, planeStride));
        if (interleaving != null) {
            from.rgb(planes.address(), planeBytes, planeStride);
            interleaving.run(from, targetPlanes(address));
        } else if (upright() && transform.type() == ElementType.UINT8) {
            copyRows(planes.address(), planeBytes, targetPlanes(address));
        } else {
            store(planes.bytes(), (int) planeBytes, target, offset);
        }
    }

    private void readFrom(AVFrame frame) {
        frameData.of(frame);
        for (int plane = 0; plane < 4; plane++) {
            int stride = frame.linesize(plane);
            long address = frameData.get(plane);
            boolean used = address != 0;
            from.set(plane, used ? address + (long) cropRows[plane] * stride + cropBytes[plane] : 0, used ? stride : 0);
        }
        if (middleChroma != null) {
            long middle = Aim.addressOf(middleChroma);
            from.set(1, middle, middleStride);
            from.set(2, middle, middleStride);
        }
    }

    private void resize(SwsPass resizing, Scratch copies) {
        layOut420(to, copies);
        resizing.run(from, to);
        layOut420(from, copies);
    }

    private void copyPadded(Scratch copies) {
        layOut420(to, copies);
        for (int plane = 0; plane < 3; plane++) {
            int shift = plane == 0 ? 0 : 1;
            av_image_copy_plane(
                    copyTo.at(to.address(plane)),
                    to.stride(plane),
                    copyFrom.at(from.address(plane)),
                    from.stride(plane),
                    (geometry.cropWidth() + shift) >> shift,
                    (geometry.cropHeight() + shift) >> shift);
        }
        layOut420(from, copies);
    }

    /** {@code planes} are a 4:2:0 picture in scratch memory, as large as the special converters need it. */
    private void layOut420(Planes planes, Scratch copies) {
        int stride = up(passWidth, ROW_ALIGNMENT);
        long lumaBytes = (long) stride * passHeight;
        long address = copies.atLeast(2 * lumaBytes + ROW_ALIGNMENT).address();
        for (int plane = 0; plane < 3; plane++) {
            int shift = plane == 0 ? 0 : 1;
            planes.set(plane, address, stride >> shift);
            address += lumaBytes >> (2 * shift);
        }
        planes.set(3, 0, 0);
    }

    /** The picture's place in the target, bottom row first where it is mirrored. */
    private Planes targetPlanes(long address) {
        int targetWidth = transform.size().width();
        int targetHeight = transform.size().height();
        boolean mirrored = geometry.turn().mirrorY();
        int firstRow = geometry.top() + (mirrored ? geometry.shownHeight() - 1 : 0);
        int pixelBytes = transform.layout() == Layout.THWC ? 3 : 1;
        int rowBytes = targetWidth * pixelBytes;
        long first = address + (long) firstRow * rowBytes + (long) geometry.left() * pixelBytes;
        int stride = mirrored ? -rowBytes : rowBytes;
        return pixelBytes == 3 ? to.packed(first, stride) : to.rgb(first, (long) rowBytes * targetHeight, stride);
    }

    private void copyRows(long scratch, long planeBytes, Planes target) {
        for (int channel = 0; channel < 3; channel++) {
            int plane = channel == 0 ? 2 : channel - 1;
            av_image_copy_plane(
                    copyTo.at(target.address(plane)),
                    target.stride(plane),
                    copyFrom.at(scratch + channel * planeBytes),
                    planeStride,
                    geometry.scaledWidth(),
                    geometry.scaledHeight());
        }
    }

    private void store(ByteBuffer planes, int planeBytes, ByteBuffer target, int offset) {
        Turn turn = geometry.turn();
        int acrossX = turn.mirrorX() ? -1 : 1;
        int acrossY = turn.mirrorY() ? -1 : 1;
        int stepX = turn.transpose() ? acrossX * planeStride : acrossX;
        int stepY = turn.transpose() ? acrossY : acrossY * planeStride;
        int first = (turn.mirrorX() ? -stepX * (geometry.shownWidth() - 1) : 0)
                + (turn.mirrorY() ? -stepY * (geometry.shownHeight() - 1) : 0);
        int elementBytes = transform.type().bytes();
        boolean interleaved = transform.layout() == Layout.THWC;
        int targetStep = elementBytes * (interleaved ? 3 : 1);
        int channelStep = elementBytes
                * (interleaved ? 1 : transform.size().width() * transform.size().height());
        for (int y = 0; y < geometry.shownHeight(); y++) {
            int row = (geometry.top() + y) * transform.size().width() + geometry.left();
            for (int channel = 0; channel < 3; channel++) {
                int read = channel * planeBytes + first + y * stepY;
                int write = offset + row * targetStep + channel * channelStep;
                if (transform.type() == ElementType.FLOAT32) {
                    PixelStore.floats(
                            planes, read, stepX, target, write, targetStep, geometry.shownWidth(), tables[channel]);
                } else {
                    PixelStore.bytes(planes, read, stepX, target, write, targetStep, geometry.shownWidth());
                }
            }
        }
    }

    @Override
    public void close() {
        if (resizing != null) {
            resizing.close();
        }
        pass.close();
        if (interleaving != null) {
            interleaving.close();
        }
    }

    private static int up(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }

    /** Passes opened so far; closes them unless all could be opened. */
    private static final class Opened implements AutoCloseable {
        private final List<SwsPass> passes = new ArrayList<>(3);

        SwsPass add(SwsPass opened) {
            passes.add(opened);
            return opened;
        }

        void keep() {
            passes.clear();
        }

        @Override
        public void close() {
            passes.forEach(SwsPass::close);
        }
    }

    /** The plane addresses of a frame, read without making a pointer object for each. */
    private static final class FrameData extends LongPointer {
        private static final int OFFSET = Pointer.offsetof(AVFrame.class, "data");

        FrameData() {
            super((Pointer) null);
        }

        void of(AVFrame frame) {
            this.address = frame.address() + OFFSET;
        }
    }
}
