package dev.penstock.decode.ffmpeg;

/**
 * What the container says of how a clip's coded pictures are shown. Immutable. A transform decides whether it is
 * applied.
 *
 * @param orientation turn and mirror of the display matrix
 * @param pixelWidth width of a coded pixel against {@code pixelHeight} (the sample aspect ratio); 0 for unknown, which
 *     counts as square
 * @param pixelHeight see {@code pixelWidth}
 */
public record DisplayShape(Orientation orientation, int pixelWidth, int pixelHeight) {

    /** Upright, square pixels. */
    public static final DisplayShape AS_CODED = new DisplayShape(Orientation.UPRIGHT, 1, 1);

    public DisplayShape {
        if (pixelWidth < 0 || pixelHeight < 0) {
            throw new IllegalArgumentException(
                    "sample aspect ratio was " + pixelWidth + ":" + pixelHeight + ", must not be negative");
        }
    }

    /** Width of a pixel divided by its height; 1 where unknown. */
    double pixelAspect() {
        return pixelWidth == 0 || pixelHeight == 0 ? 1 : (double) pixelWidth / pixelHeight;
    }
}
