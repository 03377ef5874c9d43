package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_GBRP;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.swscale.*;

import dev.penstock.view.Filter;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.IntPointer;

/**
 * One swscale context: one step from a picture of fixed size and format to another. For one thread; {@link #close}
 * frees it.
 */
final class SwsPass implements AutoCloseable {

    /**
     * Full chroma in and out, accurate rounding: with these the generic scaler's bytes are the same on every x86
     * processor and in its plain C code, and no column is left out.
     */
    private static final int ACCURATE = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;

    private static final int ONE = 1 << 16;

    /** In the special converters' 1/8 levels this is half a level: they cut where they should round. */
    private static final int HALF_LEVEL = 128;

    private final SwsContext context;
    private final int sourceHeight;
    private final int targetHeight;

    private SwsPass(
            int sourceWidth,
            int sourceHeight,
            SourceFormat source,
            int targetWidth,
            int targetHeight,
            SourceFormat target,
            int flags,
            int brightness) {
        this.sourceHeight = sourceHeight;
        this.targetHeight = targetHeight;
        context = sws_alloc_context();
        if (context == null) {
            throw new OutOfMemoryError("no native memory for a swscale context");
        }
        LiveNatives.opened();
        context.src_w(sourceWidth)
                .src_h(sourceHeight)
                .src_format(source.format())
                .dst_w(targetWidth)
                .dst_h(targetHeight)
                .dst_format(target.format())
                .flags(flags)
                .threads(1);
        try {
            // Before, so that the scaler is built for this range; after, because building it resets the tables.
            colours(source, target, brightness);
            FfmpegErrors.check(
                    sws_init_context(context, null, null),
                    "making a scaler from " + sourceWidth + "x" + sourceHeight + " "
                            + SourceFormat.name(source.format()) + " to " + targetWidth + "x" + targetHeight);
            FfmpegErrors.check(colours(source, target, brightness), "setting the colour matrix");
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Crop and resize by the generic scaler. */
    static SwsPass scaling(
            int sourceWidth, int sourceHeight, SourceFormat source, int width, int height, int format, Filter filter) {
        int flags = ACCURATE | flag(filter);
        return new SwsPass(sourceWidth, sourceHeight, source, width, height, SourceFormat.rgb(format), flags, 0);
    }

    /** Crop and resize by the generic scaler, colours left as they are: each plane at its own resolution. */
    static SwsPass resizing(
            int sourceWidth, int sourceHeight, SourceFormat source, int width, int height, Filter filter) {
        int flags = ACCURATE | flag(filter);
        return new SwsPass(sourceWidth, sourceHeight, source, width, height, source, flags, 0);
    }

    private static int flag(Filter filter) {
        return switch (filter) {
            case BILINEAR -> SWS_BILINEAR;
            case BICUBIC -> SWS_BICUBIC;
            case AREA -> SWS_AREA;
            case NEAREST -> SWS_POINT;
        };
    }

    /**
     * 8-bit 4:2:0 to RGB of the same size, by swscale's special converters: ten times the speed, chroma repeated instead of
     * interpolated. Width must be a multiple of 16 (they leave out or overrun columns otherwise), height of 2.
     */
    static SwsPass converting(int width, int height, SourceFormat source, int format) {
        int brightness = source.full() ? 0 : HALF_LEVEL;
        return new SwsPass(width, height, source, width, height, SourceFormat.rgb(format), SWS_BILINEAR, brightness);
    }

    /** RGB planes to interleaved pixels: copies bytes, changes none. */
    static SwsPass interleaving(int width, int height) {
        return new SwsPass(
                width,
                height,
                SourceFormat.rgb(AV_PIX_FMT_GBRP),
                width,
                height,
                SourceFormat.rgb(AV_PIX_FMT_RGB24),
                SWS_BILINEAR,
                0);
    }

    /** RGB pixels to the YUV of an encoder, same size. */
    static SwsPass encoding(int width, int height, SourceFormat rgb, SourceFormat yuv) {
        return new SwsPass(width, height, rgb, width, height, yuv, ACCURATE | SWS_BILINEAR, 0);
    }

    private int colours(SourceFormat source, SourceFormat target, int brightness) {
        IntPointer from = sws_getCoefficients(source.matrix());
        IntPointer to = sws_getCoefficients(target.matrix());
        return sws_setColorspaceDetails(
                context, from, source.full() ? 1 : 0, to, target.full() ? 1 : 0, brightness, ONE, ONE);
    }

    void run(Planes source, Planes target) {
        int rows = sws_scale(
                context, source.addresses(), source.strides(), 0, sourceHeight, target.addresses(), target.strides());
        if (rows != targetHeight) {
            throw new IllegalStateException(
                    "swscale wrote " + rows + " of " + targetHeight + " rows; please report this with the clip");
        }
    }

    @Override
    public void close() {
        if (!context.isNull()) {
            LiveNatives.closed();
            sws_freeContext(context);
            context.setNull();
        }
    }
}
