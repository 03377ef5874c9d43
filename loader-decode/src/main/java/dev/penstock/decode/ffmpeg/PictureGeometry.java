package dev.penstock.decode.ffmpeg;

import dev.penstock.view.Resize;

/**
 * Where a picture comes from and goes to: the part of the coded picture that is used, the size it is scaled to (both in
 * coded orientation), and the place of the shown result in the target.
 *
 * <p>Crops are whole coded pixels, at offsets that the chroma subsampling allows: at most one pixel from the ideal
 * place at each side.
 */
record PictureGeometry(
        int cropX,
        int cropY,
        int cropWidth,
        int cropHeight,
        int scaledWidth,
        int scaledHeight,
        int left,
        int top,
        Turn turn) {

    static PictureGeometry of(
            int width, int height, DisplayShape shape, PictureTransform transform, int alignX, int alignY) {
        Turn turn = transform.rotate() ? shape.turn() : Turn.UPRIGHT;
        double pixelAspect = transform.squarePixels() ? shape.pixelAspect() : 1;
        int targetWidth = transform.size().width();
        int targetHeight = transform.size().height();
        int wide = turn.transpose() ? targetHeight : targetWidth;
        int high = turn.transpose() ? targetWidth : targetHeight;
        double scaleX = wide / (width * pixelAspect);
        double scaleY = (double) high / height;
        if (transform.resize() == Resize.LETTERBOX) {
            double scale = Math.min(scaleX, scaleY);
            int scaledWidth = within(width * pixelAspect * scale, wide);
            int scaledHeight = within(height * scale, high);
            int shownWidth = turn.transpose() ? scaledHeight : scaledWidth;
            int shownHeight = turn.transpose() ? scaledWidth : scaledHeight;
            return new PictureGeometry(
                    0,
                    0,
                    width,
                    height,
                    scaledWidth,
                    scaledHeight,
                    (targetWidth - shownWidth) / 2,
                    (targetHeight - shownHeight) / 2,
                    turn);
        }
        if (transform.resize() == Resize.CENTER_CROP) {
            double scale = Math.max(scaleX, scaleY);
            int cropWidth = within(wide / scale / pixelAspect, width);
            int cropHeight = within(high / scale, height);
            return new PictureGeometry(
                    (width - cropWidth) / 2 / alignX * alignX,
                    (height - cropHeight) / 2 / alignY * alignY,
                    cropWidth,
                    cropHeight,
                    wide,
                    high,
                    0,
                    0,
                    turn);
        }
        return new PictureGeometry(0, 0, width, height, wide, high, 0, 0, turn);
    }

    /** Width of the result in the target. */
    int shownWidth() {
        return turn.transpose() ? scaledHeight : scaledWidth;
    }

    /** Height of the result in the target. */
    int shownHeight() {
        return turn.transpose() ? scaledWidth : scaledHeight;
    }

    boolean unscaled() {
        return cropWidth == scaledWidth && cropHeight == scaledHeight;
    }

    private static int within(double ideal, int limit) {
        return (int) Math.max(1, Math.min(limit, Math.round(ideal)));
    }
}
