package dev.penstock.decode.ffmpeg;

import dev.penstock.data.ElementType;
import dev.penstock.view.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The fill colour around a picture that does not cover its target: bytes prepared once, written once per frame, and
 * only where the picture does not come. For one thread.
 */
final class Letterbox {

    private final int pixelElements;
    private final int elementBytes;
    private final int width;
    private final int height;
    private final int left;
    private final int top;
    private final int right;
    private final int bottom;
    /** A whole row of fill for each plane; one for interleaved pixels. */
    private final byte[][] rows;

    Letterbox(PictureTransform transform, PictureGeometry geometry, float[][] tables) {
        width = transform.size().width();
        height = transform.size().height();
        left = geometry.left();
        top = geometry.top();
        right = left + geometry.shownWidth();
        bottom = top + geometry.shownHeight();
        boolean interleaved = transform.layout() == Layout.THWC;
        pixelElements = interleaved ? 3 : 1;
        elementBytes = transform.type().bytes();
        rows = new byte[interleaved ? 1 : 3][width * pixelElements * elementBytes];
        for (int plane = 0; plane < rows.length; plane++) {
            ByteBuffer row = ByteBuffer.wrap(rows[plane]).order(ByteOrder.nativeOrder());
            for (int i = 0; i < width * pixelElements; i++) {
                int channel = interleaved ? i % 3 : plane;
                int value = transform.fill().get(channel);
                if (transform.type() == ElementType.FLOAT32) {
                    row.putFloat(tables[channel][value]);
                } else {
                    row.put((byte) value);
                }
            }
        }
    }

    /** Whether the picture leaves anything uncovered. */
    static boolean needed(PictureTransform transform, PictureGeometry geometry) {
        return geometry.shownWidth() < transform.size().width()
                || geometry.shownHeight() < transform.size().height();
    }

    void fill(ByteBuffer target, int offset) {
        int pixelBytes = pixelElements * elementBytes;
        int rowBytes = width * pixelBytes;
        for (int plane = 0; plane < rows.length; plane++) {
            int start = offset + plane * rowBytes * height;
            for (int y = 0; y < height; y++) {
                int row = start + y * rowBytes;
                if (y < top || y >= bottom) {
                    target.put(row, rows[plane], 0, rowBytes);
                } else {
                    target.put(row, rows[plane], 0, left * pixelBytes);
                    target.put(row + right * pixelBytes, rows[plane], 0, (width - right) * pixelBytes);
                }
            }
        }
    }
}
