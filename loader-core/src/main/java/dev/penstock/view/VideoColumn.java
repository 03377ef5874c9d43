package dev.penstock.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

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
 * @param fullChroma whether the colour of 8-bit 4:2:0 clips is interpolated to every pixel (dearer), instead of being
 *     resized at half the resolution that {@code size} has and repeated for 2×2 pixels
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
        ColourRule colour,
        Boolean fullChroma) {

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
        fullChroma = orElse(fullChroma, false);
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
        return new Draft(name, window, size).column();
    }

    /** The same column reading another camera. */
    public VideoColumn camera(String other) {
        return with(draft -> draft.camera = other);
    }

    /** The same column with another window. */
    public VideoColumn window(Window other) {
        return with(draft -> draft.window = other);
    }

    /** The same column at another size. */
    public VideoColumn size(Size other) {
        return with(draft -> draft.size = other);
    }

    /** The same column with another resize rule. */
    public VideoColumn resize(Resize other) {
        return with(draft -> draft.resize = other);
    }

    /** Letterbox with this fill colour, 0 to 255 each. */
    public VideoColumn letterbox(int red, int green, int blue) {
        return with(draft -> {
            draft.resize = Resize.LETTERBOX;
            draft.fill = List.of(red, green, blue);
        });
    }

    /** The same column with another filter. */
    public VideoColumn filter(Filter other) {
        return with(draft -> draft.filter = other);
    }

    /** The same column in another layout. */
    public VideoColumn layout(Layout other) {
        return with(draft -> draft.layout = other);
    }

    /** float32 elements, {@code (x / 255 − mean) / std} for each channel R, G, B. */
    public VideoColumn normalized(List<Float> mean, List<Float> std) {
        return with(draft -> {
            draft.type = ElementType.FLOAT32;
            draft.mean = mean;
            draft.std = std;
        });
    }

    /** float32 elements in 0 to 1. */
    public VideoColumn float32() {
        return normalized(ZEROS, ONES);
    }

    /** Whether the clip's rotation and mirror are applied. */
    public VideoColumn rotate(boolean apply) {
        return with(draft -> draft.rotate = apply);
    }

    /** Whether non-square pixels are made square. */
    public VideoColumn squarePixels(boolean apply) {
        return with(draft -> draft.squarePixels = apply);
    }

    /** What an untagged clip's matrix is taken to be. */
    public VideoColumn colour(ColourRule rule) {
        return with(draft -> draft.colour = rule);
    }

    /** Whether the colour of 8-bit 4:2:0 clips is interpolated to every pixel. */
    public VideoColumn fullChroma(boolean interpolate) {
        return with(draft -> draft.fullChroma = interpolate);
    }

    private VideoColumn with(Consumer<Draft> change) {
        Draft draft = new Draft(name, window, size);
        draft.camera = camera;
        draft.resize = resize;
        draft.fill = fill;
        draft.filter = filter;
        draft.layout = layout;
        draft.type = type;
        draft.mean = mean;
        draft.std = std;
        draft.rotate = rotate;
        draft.squarePixels = squarePixels;
        draft.colour = colour;
        draft.fullChroma = fullChroma;
        change.accept(draft);
        return draft.column();
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

    /** A column in the making. */
    private static final class Draft {
        private final String name;
        private Window window;
        private Size size;
        private String camera;
        private Resize resize = Resize.STRETCH;
        private List<Integer> fill = BLACK;
        private Filter filter = Filter.BILINEAR;
        private Layout layout = Layout.THWC;
        private ElementType type = ElementType.UINT8;
        private List<Float> mean = ZEROS;
        private List<Float> std = ONES;
        private boolean rotate = true;
        private boolean squarePixels;
        private ColourRule colour = ColourRule.BT601;
        private boolean fullChroma;

        Draft(String name, Window window, Size size) {
            this.name = name;
            this.camera = name;
            this.window = window;
            this.size = size;
        }

        VideoColumn column() {
            return new VideoColumn(
                    name,
                    camera,
                    window,
                    size,
                    resize,
                    fill,
                    filter,
                    layout,
                    type,
                    mean,
                    std,
                    rotate,
                    squarePixels,
                    colour,
                    fullChroma);
        }
    }
}
