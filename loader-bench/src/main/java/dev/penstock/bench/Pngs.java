package dev.penstock.bench;

import dev.penstock.decode.VideoFrame;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Frames as PNG files. */
final class Pngs {
    private Pngs() {}

    /** Writes {@code frame-000012.png} into {@code folder}, which is made where it is absent. */
    static void write(VideoFrame frame, Path folder) throws IOException {
        Files.createDirectories(folder);
        BufferedImage image = new BufferedImage(frame.width(), frame.height(), BufferedImage.TYPE_INT_RGB);
        ByteBuffer pixels = frame.pixels();
        int[] row = new int[frame.width()];
        for (int y = 0; y < frame.height(); y++) {
            for (int x = 0; x < row.length; x++) {
                int at = 3 * (y * row.length + x);
                row[x] = (pixels.get(at) & 0xFF) << 16 | (pixels.get(at + 1) & 0xFF) << 8 | (pixels.get(at + 2) & 0xFF);
            }
            image.setRGB(0, y, row.length, 1, row, 0, row.length);
        }
        Path file = folder.resolve(String.format(Locale.ROOT, "frame-%06d.png", frame.index()));
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException("this Java runtime writes no PNG (module java.desktop is needed)");
        }
    }
}
