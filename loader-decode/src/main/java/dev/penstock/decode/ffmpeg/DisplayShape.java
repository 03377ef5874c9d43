package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.Orientation;

/**
 * What the container says of how a clip's coded pictures are shown. Immutable. A transform decides whether it is
 * applied.
 *
 * @param turn turn and mirror of the display matrix
 * @param pixelWidth width of a coded pixel against {@code pixelHeight} (the sample aspect ratio); 0 for unknown, which
 *     counts as square
 * @param pixelHeight see {@code pixelWidth}
 */
public record DisplayShape(Turn turn, int pixelWidth, int pixelHeight) {

    /** Upright, square pixels. */
    public static final DisplayShape AS_CODED = new DisplayShape(Turn.UPRIGHT, 1, 1);

    public DisplayShape {
        if (pixelWidth < 0 || pixelHeight < 0) {
            throw new IllegalArgumentException(
                    "sample aspect ratio was " + pixelWidth + ":" + pixelHeight + ", must not be negative");
        }
    }

    /**
     * What a clip's index says.
     *
     * @throws IllegalArgumentException when the clip's display matrix is no right-angle turn or mirror
     */
    public static DisplayShape of(ClipIndex index) {
        return new DisplayShape(
                Turn.of(new Orientation(
                        index.source().rotation(), index.source().mirrored())),
                index.format().sarNumerator(),
                Math.max(0, index.format().sarDenominator()));
    }

    /** Width of a pixel divided by its height; 1 where unknown. */
    double pixelAspect() {
        return pixelWidth == 0 || pixelHeight == 0 ? 1 : (double) pixelWidth / pixelHeight;
    }
}
