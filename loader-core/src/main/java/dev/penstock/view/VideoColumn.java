package dev.penstock.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import java.util.List;
import java.util.Objects;

/**
 * One camera of a view: which frames, how large, in which layout. Immutable.
 *
 * @param name name of the tensor
 * @param camera the camera in the dataset; the tensor's name where not given
 * @param window the frames of a sample
 * @param size the size of every frame
 * @param resize how a clip of another shape is brought to {@code size}
 * @param fill R, G, B of the letterbox, 0 to 255
 * @param filter resampling filter
 * @param layout THWC or TCHW
 * @param type {@link ElementType#UINT8} (0 to 255) or {@link ElementType#FLOAT32} ((x / 255 − mean) / std)
 * @param mean per channel, for float32
 * @param std per channel, for float32
 * @param rotate whether the clip's display matrix (rotation, mirror) is applied
 * @param squarePixels whether non-square pixels are made square before resizing
 * @param colour what an untagged clip's matrix is taken to be
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VideoColumn(
        String name,
        String camera,
        Window window,
        Size size,
        Resize resize,
        List<Integer> fill,
        Filter filter,
        Layout layout,
        ElementType type,
        List<Float> mean,
        List<Float> std,
        Boolean rotate,
        Boolean squarePixels,
        ColourRule colour) {

    private static final List<Integer> BLACK = List.of(0, 0, 0);
    private static final List<Float> ZEROS = List.of(0f, 0f, 0f);
    private static final List<Float> ONES = List.of(1f, 1f, 1f);

    /** What JSON leaves out arrives as null and gets its default here. */
    public VideoColumn {
        Objects.requireNonNull(name, "video name");
        Objects.requireNonNull(window, "video '" + name + "': window");
        Objects.requireNonNull(size, "video '" + name + "': size");
        camera = orElse(camera, name);
        resize = orElse(resize, Resize.STRETCH);
        fill = List.copyOf(orElse(fill, BLACK));
        filter = orElse(filter, Filter.BILINEAR);
        layout = orElse(layout, Layout.THWC);
        type = orElse(type, ElementType.UINT8);
        mean = List.copyOf(orElse(mean, ZEROS));
        std = List.copyOf(orElse(std, ONES));
        rotate = orElse(rotate, true);
        squarePixels = orElse(squarePixels, false);
        colour = orElse(colour, ColourRule.BT601);
        require(name, type == ElementType.UINT8 || type == ElementType.FLOAT32, "type was " + type, "UINT8 or FLOAT32");
        require(
                name,
                fill.size() == 3 && fill.stream().allMatch(f -> f >= 0 && f <= 255),
                "fill was " + fill,
                "three values 0 to 255");
        require(name, mean.size() == 3, "mean was " + mean, "three values");
        require(name, std.size() == 3 && std.stream().allMatch(s -> s > 0), "std was " + std, "three values above 0");
    }

    /** A camera with the defaults: stretch, bilinear, THWC, uint8, rotation applied. */
    public static VideoColumn of(String name, Window window, Size size) {
        return new VideoColumn(
                name,
                name,
                window,
                size,
                Resize.STRETCH,
                BLACK,
                Filter.BILINEAR,
                Layout.THWC,
                ElementType.UINT8,
                ZEROS,
                ONES,
                true,
                false,
                ColourRule.BT601);
    }

    /** The same column reading another camera. */
    public VideoColumn camera(String other) {
        return new VideoColumn(
                name, other, window, size, resize, fill, filter, layout, type, mean, std, rotate, squarePixels, colour);
    }

    /** The same column with another window. */
    public VideoColumn window(Window other) {
        return new VideoColumn(
                name, camera, other, size, resize, fill, filter, layout, type, mean, std, rotate, squarePixels, colour);
    }

    /** The same column at another size. */
    public VideoColumn size(Size other) {
        return new VideoColumn(
                name,
                camera,
                window,
                other,
                resize,
                fill,
                filter,
                layout,
                type,
                mean,
                std,
                rotate,
                squarePixels,
                colour);
    }

    /** The same column with another resize rule. */
    public VideoColumn resize(Resize other) {
        return new VideoColumn(
                name, camera, window, size, other, fill, filter, layout, type, mean, std, rotate, squarePixels, colour);
    }

    /** Letterbox with this fill colour, 0 to 255 each. */
    public VideoColumn letterbox(int red, int green, int blue) {
        return new VideoColumn(
                name,
                camera,
                window,
                size,
                Resize.LETTERBOX,
                List.of(red, green, blue),
                filter,
                layout,
                type,
                mean,
                std,
                rotate,
                squarePixels,
                colour);
    }

    /** The same column with another filter. */
    public VideoColumn filter(Filter other) {
        return new VideoColumn(
                name, camera, window, size, resize, fill, other, layout, type, mean, std, rotate, squarePixels, colour);
    }

    /** The same column in another layout. */
    public VideoColumn layout(Layout other) {
        return new VideoColumn(
                name, camera, window, size, resize, fill, filter, other, type, mean, std, rotate, squarePixels, colour);
    }

    /** float32 elements, {@code (x / 255 − mean) / std} for each channel R, G, B. */
    public VideoColumn normalized(List<Float> mean, List<Float> std) {
        return new VideoColumn(
                name,
                camera,
                window,
                size,
                resize,
                fill,
                filter,
                layout,
                ElementType.FLOAT32,
                mean,
                std,
                rotate,
                squarePixels,
                colour);
    }

    /** float32 elements in 0 to 1. */
    public VideoColumn float32() {
        return normalized(ZEROS, ONES);
    }

    /** Whether the clip's rotation and mirror are applied. */
    public VideoColumn rotate(boolean apply) {
        return new VideoColumn(
                name, camera, window, size, resize, fill, filter, layout, type, mean, std, apply, squarePixels, colour);
    }

    /** Whether non-square pixels are made square. */
    public VideoColumn squarePixels(boolean apply) {
        return new VideoColumn(
                name, camera, window, size, resize, fill, filter, layout, type, mean, std, rotate, apply, colour);
    }

    /** What an untagged clip's matrix is taken to be. */
    public VideoColumn colour(ColourRule rule) {
        return new VideoColumn(
                name, camera, window, size, resize, fill, filter, layout, type, mean, std, rotate, squarePixels, rule);
    }

    /** Bytes of one frame in the batch. */
    public int frameBytes() {
        return 3 * size.width() * size.height() * type.bytes();
    }

    /** The tensor of this column. */
    public TensorSpec spec() {
        int t = window.length();
        int h = size.height();
        int w = size.width();
        return layout == Layout.THWC
                ? TensorSpec.dense(name, type, t, h, w, 3)
                : TensorSpec.dense(name, type, t, 3, h, w);
    }

    private static <T> T orElse(T value, T fallback) {
        return value == null ? fallback : value;
    }

    private static void require(String name, boolean holds, String was, String needs) {
        if (!holds) {
            throw new IllegalArgumentException("video '" + name + "': " + was + ", must be " + needs);
        }
    }
}
