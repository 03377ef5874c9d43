package dev.penstock.decode.ffmpeg;

import dev.penstock.data.ElementType;
import dev.penstock.view.ColourRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import java.util.List;

/**
 * What becomes of a decoded picture: size, resize rule, layout, element type, colours. Immutable; make one per camera
 * and keep it, because {@link Scaler} finds its cached work by it.
 *
 * @param size size of the result
 * @param resize how a picture of another shape is brought to {@code size}
 * @param fill R, G, B of the letterbox, 0 to 255
 * @param filter resampling filter
 * @param layout {@link Layout#THWC} for {@code [H, W, 3]}, {@link Layout#TCHW} for {@code [3, H, W]}
 * @param type {@link ElementType#UINT8}, or {@link ElementType#FLOAT32} holding {@code (x / 255 − mean) / std} of the
 *     very uint8 values
 * @param mean for R, G, B
 * @param std for R, G, B
 * @param rotate whether the clip's turn and mirror are applied
 * @param squarePixels whether non-square pixels are made square
 * @param colour the matrix of pictures that name none
 * @param fullChroma whether 8-bit 4:2:0 pictures get their chroma interpolated to every pixel (about twice the cost)
 *     instead of resized at half the result's resolution and repeated
 */
public record PictureTransform(
        Size size,
        Resize resize,
        List<Integer> fill,
        Filter filter,
        Layout layout,
        ElementType type,
        List<Float> mean,
        List<Float> std,
        boolean rotate,
        boolean squarePixels,
        ColourRule colour,
        boolean fullChroma) {

    private static final int CHANNELS = 3;

    public PictureTransform {
        fill = List.copyOf(fill);
        mean = List.copyOf(mean);
        std = List.copyOf(std);
        require(
                type == ElementType.UINT8 || type == ElementType.FLOAT32,
                "type was " + type + ", must be UINT8 or FLOAT32");
        require(fill.size() == CHANNELS, "fill was " + fill + ", must be three values");
        require(mean.size() == CHANNELS, "mean was " + mean + ", must be three values");
        require(
                std.size() == CHANNELS && std.stream().allMatch(s -> s > 0),
                "std was " + std + ", must be three values above 0");
        require(
                (long) CHANNELS * size.width() * size.height() * type.bytes() <= Integer.MAX_VALUE,
                "a frame of " + size + " needs more than 2 GiB");
    }

    /** The transform of a view's camera. */
    public static PictureTransform of(VideoColumn column) {
        return new PictureTransform(
                column.size(),
                column.resize(),
                column.fill(),
                column.filter(),
                column.layout(),
                column.type(),
                column.mean(),
                column.std(),
                column.rotate(),
                column.squarePixels(),
                column.colour(),
                column.fullChroma());
    }

    /** uint8 pictures of this size: stretched, bilinear, rotation applied. */
    public static PictureTransform of(Size size, Layout layout) {
        return new PictureTransform(
                size,
                Resize.STRETCH,
                List.of(0, 0, 0),
                Filter.BILINEAR,
                layout,
                ElementType.UINT8,
                List.of(0f, 0f, 0f),
                List.of(1f, 1f, 1f),
                true,
                false,
                ColourRule.BT601,
                false);
    }

    /**
     * The size at which the picture itself is shown in the result: smaller than {@link #size} where a letterbox leaves
     * room.
     *
     * @param width of the coded picture
     * @param height of the coded picture
     */
    public Size shown(int width, int height, DisplayShape shape) {
        PictureGeometry geometry = PictureGeometry.of(width, height, shape, this, 1, 1);
        return Size.of(geometry.shownWidth(), geometry.shownHeight());
    }

    /** Bytes of one result. */
    public int bytes() {
        return CHANNELS * size.width() * size.height() * type.bytes();
    }

    /**
     * What each of the 256 uint8 values becomes in channel {@code c}; computed in double, rounded once, so that it is
     * the same on every machine.
     */
    float[] normalized(int c) {
        float[] values = new float[256];
        for (int x = 0; x < values.length; x++) {
            values[x] = (float) ((x / 255.0 - mean.get(c)) / std.get(c));
        }
        return values;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
