package dev.penstock.decode.ffmpeg;

/** Plain resizing of uint8 R, G, B planes to a square, in double precision, without any of swscale's tricks. */
final class References {

    private References() {}

    private interface Weights {
        /** Weight of source position {@code i} for target position {@code o}. */
        double of(int o, int i);
    }

    /** PIL's and torchvision's antialiased resize: the kernel is widened by the shrink factor. */
    static byte[] kernel(byte[] planes, int width, int height, int side, boolean triangle) {
        return separable(planes, width, height, side, kernel(width, side, triangle), kernel(height, side, triangle));
    }

    private static Weights kernel(int from, int to, boolean triangle) {
        double scale = Math.max(1, (double) from / to);
        return (o, i) -> {
            double x = Math.abs((i + 0.5 - (o + 0.5) * from / to) / scale);
            return triangle ? Math.max(0, 1 - x) : cubic(x);
        };
    }

    /** Keys' cubic with a = -0.5, as PIL and antialiased torchvision have it. */
    private static double cubic(double x) {
        double a = -0.5;
        if (x < 1) {
            return ((a + 2) * x - (a + 3)) * x * x + 1;
        }
        return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
    }

    /** OpenCV's INTER_LINEAR: the two nearest source pixels whatever the scale. */
    static byte[] twoByTwo(byte[] planes, int width, int height, int side) {
        return separable(planes, width, height, side, two(width, side), two(height, side));
    }

    private static Weights two(int from, int to) {
        return (o, i) -> {
            double centre = Math.max(0, Math.min(from - 1, (o + 0.5) * from / to - 0.5));
            return Math.max(0, 1 - Math.abs(i - centre));
        };
    }

    /** OpenCV's INTER_AREA: every source pixel by the part of it that the target pixel covers. */
    static byte[] area(byte[] planes, int width, int height, int side) {
        return separable(planes, width, height, side, cover(width, side), cover(height, side));
    }

    private static Weights cover(int from, int to) {
        double scale = (double) from / to;
        return (o, i) -> Math.max(0, Math.min(i + 1, (o + 1) * scale) - Math.max(i, o * scale));
    }

    /**
     * The source pixel under the target pixel's centre (torchvision's nearest-exact), or at floor(o * scale) (OpenCV's
     * and torchvision's nearest).
     */
    static byte[] nearest(byte[] planes, int width, int height, int side, boolean centre) {
        int half = centre ? 1 : 0;
        return separable(
                planes,
                width,
                height,
                side,
                (o, i) -> i == (2L * o + half) * width / (2L * side) ? 1 : 0,
                (o, i) -> i == (2L * o + half) * height / (2L * side) ? 1 : 0);
    }

    private static byte[] separable(byte[] planes, int width, int height, int side, Weights across, Weights down) {
        byte[] result = new byte[3 * side * side];
        for (int channel = 0; channel < 3; channel++) {
            double[] rows = new double[height * side];
            for (int o = 0; o < side; o++) {
                double[] weights = normalized(across, o, width);
                int first = first(weights);
                int end = end(weights);
                for (int y = 0; y < height; y++) {
                    double sum = 0;
                    for (int x = first; x < end; x++) {
                        sum += weights[x] * (planes[(channel * height + y) * width + x] & 0xff);
                    }
                    rows[y * side + o] = sum;
                }
            }
            for (int o = 0; o < side; o++) {
                double[] weights = normalized(down, o, height);
                int first = first(weights);
                int end = end(weights);
                for (int x = 0; x < side; x++) {
                    double sum = 0;
                    for (int y = first; y < end; y++) {
                        sum += weights[y] * rows[y * side + x];
                    }
                    result[(channel * side + o) * side + x] = (byte) Math.max(0, Math.min(255, Math.round(sum)));
                }
            }
        }
        return result;
    }

    private static int first(double[] weights) {
        int i = 0;
        while (weights[i] == 0) {
            i++;
        }
        return i;
    }

    private static int end(double[] weights) {
        int i = weights.length;
        while (weights[i - 1] == 0) {
            i--;
        }
        return i;
    }

    private static double[] normalized(Weights weights, int o, int n) {
        double[] values = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            values[i] = weights.of(o, i);
            sum += values[i];
        }
        for (int i = 0; i < n; i++) {
            values[i] /= sum;
        }
        return values;
    }
}
