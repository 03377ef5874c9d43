package dev.penstock.bench.demo;

import java.util.SplittableRandom;

/** A seeded, smooth, endlessly repeating brightness pattern: several octaves of value noise. Immutable. */
final class Texture {

    private final int width;
    private final int height;
    private final byte[] values;

    /**
     * A pattern that repeats after {@code width} columns and {@code height} rows, both powers of two.
     *
     * @param coarsest size of the largest blobs, a power of two
     */
    Texture(int width, int height, int coarsest, SplittableRandom random) {
        this.width = width;
        this.height = height;
        float[] sum = new float[width * height];
        float weight = 0.5f;
        for (int cell = coarsest; cell >= 2; cell /= 4, weight *= 0.55f) {
            add(sum, cell, weight, random);
        }
        values = new byte[sum.length];
        for (int i = 0; i < sum.length; i++) {
            values[i] = (byte) Math.max(0, Math.min(255, Math.round(sum[i] * 255)));
        }
    }

    private void add(float[] sum, int cell, float weight, SplittableRandom random) {
        int columns = width / cell;
        int rows = height / cell;
        float[] corners = new float[columns * rows];
        for (int i = 0; i < corners.length; i++) {
            corners[i] = (float) random.nextDouble();
        }
        for (int y = 0; y < height; y++) {
            int top = y / cell * columns;
            int bottom = (y / cell + 1) % rows * columns;
            float down = smooth((float) (y % cell) / cell);
            for (int x = 0; x < width; x++) {
                int left = x / cell;
                int right = (left + 1) % columns;
                float across = smooth((float) (x % cell) / cell);
                float upper = corners[top + left] + (corners[top + right] - corners[top + left]) * across;
                float lower = corners[bottom + left] + (corners[bottom + right] - corners[bottom + left]) * across;
                sum[y * width + x] += weight * (upper + (lower - upper) * down);
            }
        }
    }

    private static float smooth(float t) {
        return t * t * (3 - 2 * t);
    }

    /** The value at any place, 0 to 255. */
    int at(int x, int y) {
        return values[(y & (height - 1)) * width + (x & (width - 1))] & 0xff;
    }

    /** Copies {@code n} values of a row, beginning at any place. */
    void row(int x, int y, byte[] into, int from, int n) {
        int row = (y & (height - 1)) * width;
        int start = x & (width - 1);
        for (int done = 0; done < n; ) {
            int part = Math.min(n - done, width - start);
            System.arraycopy(values, row + start, into, from + done, part);
            done += part;
            start = 0;
        }
    }
}
