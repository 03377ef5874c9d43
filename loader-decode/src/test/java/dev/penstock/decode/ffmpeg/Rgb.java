package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.view.Layout;

/** The standards' colour formulas and picture sums, in plain arithmetic. */
final class Rgb {

    private Rgb() {}

    /** R, G, B of one 8-bit YUV colour, clipped to 0..255. */
    static double[] of(int matrix, boolean full, int y, int u, int v) {
        double red = matrix == AVCOL_SPC_BT709 ? 0.2126 : matrix == AVCOL_SPC_BT2020_NCL ? 0.2627 : 0.299;
        double blue = matrix == AVCOL_SPC_BT709 ? 0.0722 : matrix == AVCOL_SPC_BT2020_NCL ? 0.0593 : 0.114;
        double luma = full ? y / 255.0 : (y - 16) / 219.0;
        double b = (u - 128) / (full ? 255.0 : 224.0);
        double r = (v - 128) / (full ? 255.0 : 224.0);
        double redValue = luma + 2 * (1 - red) * r;
        double blueValue = luma + 2 * (1 - blue) * b;
        double greenValue = (luma - red * redValue - blue * blueValue) / (1 - red - blue);
        return new double[] {level(redValue), level(greenValue), level(blueValue)};
    }

    private static double level(double value) {
        return Math.max(0, Math.min(255, 255 * value));
    }

    /** One value of a uint8 picture. */
    static int at(byte[] pixels, int width, int height, Layout layout, int x, int y, int channel) {
        int index = layout == Layout.THWC ? (y * width + x) * 3 + channel : (channel * height + y) * width + x;
        return pixels[index] & 0xff;
    }

    /** Mean R, G, B of the whole picture, then of its quarters: top-left, top-right, bottom-left, bottom-right. */
    static double[][] means(byte[] pixels, int width, int height, Layout layout) {
        int[][] parts = {
            {0, 0, width, height},
            {0, 0, width / 2, height / 2},
            {width / 2, 0, width, height / 2},
            {0, height / 2, width / 2, height},
            {width / 2, height / 2, width, height}
        };
        double[][] means = new double[parts.length][3];
        for (int part = 0; part < parts.length; part++) {
            int[] p = parts[part];
            for (int channel = 0; channel < 3; channel++) {
                long sum = 0;
                for (int y = p[1]; y < p[3]; y++) {
                    for (int x = p[0]; x < p[2]; x++) {
                        sum += at(pixels, width, height, layout, x, y, channel);
                    }
                }
                means[part][channel] = (double) sum / ((p[2] - p[0]) * (p[3] - p[1]));
            }
        }
        return means;
    }

    /** Mean absolute difference. */
    static double difference(byte[] a, byte[] b) {
        long sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += Math.abs((a[i] & 0xff) - (b[i] & 0xff));
        }
        return (double) sum / a.length;
    }

    /** Peak signal-to-noise ratio in dB. */
    static double psnr(byte[] a, byte[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double d = (a[i] & 0xff) - (b[i] & 0xff);
            sum += d * d;
        }
        return 10 * Math.log10(255.0 * 255.0 * a.length / Math.max(sum, 1e-9));
    }
}
