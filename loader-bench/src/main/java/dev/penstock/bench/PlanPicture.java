package dev.penstock.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * An order as a picture: a dot for each sample, position in the epoch to the right, position in the data upwards. No
 * shuffle is a line from corner to corner, a full permutation is even noise, blocks are short strokes between.
 */
final class PlanPicture {
    /** Dots that a picture of this size can still tell apart. */
    static final int MOST_POINTS = 8_000;

    private static final int SIDE = 640;
    private static final int MARGIN = 40;

    private final long[] samples;
    private final long size;
    private final String title;

    /**
     * @param samples the samples at evenly spread positions of the epoch
     * @param size samples of the data
     */
    PlanPicture(long[] samples, long size, String title) {
        this.samples = samples.clone();
        this.size = size;
        this.title = title;
    }

    /** As SVG. */
    String svg() {
        int whole = SIDE + 2 * MARGIN;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"14\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
                whole,
                whole,
                whole,
                whole));
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>%n",
                MARGIN,
                MARGIN,
                SIDE,
                SIDE));
        svg.append(text(MARGIN, MARGIN - 12, title));
        svg.append(text(MARGIN, whole - 14, "position in the epoch →"));
        svg.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(%d %d) rotate(-90)\">position in the data →</text>%n",
                MARGIN - 14,
                MARGIN + SIDE));
        svg.append("<path stroke=\"#1f5fa8\" stroke-width=\"2\" stroke-linecap=\"round\" d=\"");
        for (int i = 0; i < samples.length; i++) {
            svg.append(String.format(Locale.ROOT, "M%.1f %.1fh0", x(i), y(i)));
        }
        return svg.append("\"/>\n</svg>\n").toString();
    }

    /** As PNG. */
    byte[] png() throws IOException {
        int whole = SIDE + 2 * MARGIN;
        BufferedImage image = new BufferedImage(whole, whole, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, whole, whole);
        graphics.setColor(Color.GRAY);
        graphics.drawRect(MARGIN, MARGIN, SIDE, SIDE);
        graphics.setColor(new Color(0x1f5fa8));
        for (int i = 0; i < samples.length; i++) {
            graphics.fillRect((int) x(i), (int) y(i), 2, 2);
        }
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    private double x(int point) {
        return MARGIN + (point + 0.5) * SIDE / samples.length;
    }

    private double y(int point) {
        return MARGIN + SIDE - (samples[point] + 0.5) * SIDE / size;
    }

    private static String text(int x, int y, String text) {
        return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>%n", x, y, text);
    }
}
