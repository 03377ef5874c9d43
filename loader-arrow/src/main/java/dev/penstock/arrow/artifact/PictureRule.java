package dev.penstock.arrow.artifact;

import dev.penstock.data.ElementType;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.view.ColourRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a camera's pictures when they were written, once and for all: the part of a {@link VideoColumn} that
 * an artifact fixes. Windows, layout, element type and normalization stay free.
 */
record PictureRule(
        Size size,
        Resize resize,
        List<Integer> fill,
        Filter filter,
        boolean rotate,
        boolean squarePixels,
        ColourRule colour) {

    /** Of a camera that only carries the anchors: its frames' times count, its pictures need not be large. */
    private static final Size ANCHOR_SIZE = Size.of(64, 64);

    private static final List<Float> ZEROS = List.of(0f, 0f, 0f);
    private static final List<Float> ONES = List.of(1f, 1f, 1f);

    /**
     * The rules of a view's cameras, its reference camera among them.
     *
     * @throws IllegalArgumentException when two columns want pictures of one camera that don't follow from one another
     */
    static Map<String, PictureRule> of(View view) {
        Map<String, PictureRule> rules = new LinkedHashMap<>();
        for (VideoColumn video : view.videos()) {
            PictureRule rule = of(video);
            PictureRule before = rules.get(video.camera());
            rules.put(video.camera(), before == null ? rule : larger(video.camera(), before, rule));
        }
        String reference = view.referenceCamera();
        if (!reference.isEmpty() && !rules.containsKey(reference)) {
            rules.put(
                    reference, of(VideoColumn.of(reference, view.videos().get(0).window(), ANCHOR_SIZE)));
        }
        return rules;
    }

    private static PictureRule of(VideoColumn video) {
        return new PictureRule(
                video.size(),
                video.resize(),
                video.fill(),
                video.filter(),
                video.rotate(),
                video.squarePixels(),
                video.colour());
    }

    private static PictureRule larger(String camera, PictureRule a, PictureRule b) {
        boolean firstIsLarge = (long) a.size.width() * a.size.height() >= (long) b.size.width() * b.size.height();
        PictureRule large = firstIsLarge ? a : b;
        PictureRule small = firstIsLarge ? b : a;
        String lack = large.lack(small);
        if (lack != null) {
            throw new IllegalArgumentException("view: two columns of camera '" + camera + "' need different pictures ("
                    + lack + "); materialize them into two artifacts");
        }
        return large;
    }

    /** Why the pictures can't serve a column of the camera, or null. */
    @Nullable
    String refuses(VideoColumn wanted) {
        return lack(of(wanted));
    }

    private @Nullable String lack(PictureRule wanted) {
        if (wanted.size.width() > size.width() || wanted.size.height() > size.height()) {
            return "size " + wanted.size + " was asked for, the pictures have " + size;
        }
        if (wanted.resize != resize) {
            return "resize " + wanted.resize + " was asked for, the pictures were made with " + resize;
        }
        boolean sameAspect = (long) wanted.size.width() * size.height() == (long) wanted.size.height() * size.width();
        if (resize != Resize.STRETCH && !sameAspect) {
            return "size " + wanted.size + " was asked for, the pictures were made for " + size + " and " + resize
                    + " is tied to its aspect";
        }
        if (resize == Resize.LETTERBOX && !wanted.fill.equals(fill)) {
            return "fill " + wanted.fill + " was asked for, the pictures were made with " + fill;
        }
        if (wanted.filter != filter) {
            return "filter " + wanted.filter + " was asked for, the pictures were made with " + filter;
        }
        if (wanted.rotate != rotate || wanted.squarePixels != squarePixels || wanted.colour != colour) {
            return "rotate " + wanted.rotate + ", squarePixels " + wanted.squarePixels + ", colour " + wanted.colour
                    + " was asked for, the pictures were made with " + rotate + ", " + squarePixels + ", " + colour;
        }
        return null;
    }

    /** The whole rule as a transform to uint8 pixels. */
    PictureTransform transform(Layout layout) {
        return transform(size, resize, layout);
    }

    /** The picture alone, without a letterbox around it. */
    PictureTransform transform(Size shown, Layout layout) {
        return transform(shown, Resize.STRETCH, layout);
    }

    private PictureTransform transform(Size to, Resize how, Layout layout) {
        return new PictureTransform(
                to, how, fill, filter, layout, ElementType.UINT8, ZEROS, ONES, rotate, squarePixels, colour, false);
    }
}
