package dev.penstock.bench.demo;

import dev.penstock.view.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One episode's world: a textured background that pans as the car drives and steers, objects that move through it, and
 * light camera noise. Everything is a pure function of seed, episode, camera and frame. Immutable, for any thread.
 */
final class Scene {

    /** The cameras of every episode, and how far each looks to the side, in pictures. */
    static final List<String> CAMERAS = List.of("front", "left");

    private static final String[] LABELS = {"car", "truck", "bus", "bicycle", "pedestrian"};
    private static final String[] WEATHERS = {"clear", "overcast", "rain"};
    private static final int TILE = 1024;
    private static final int NOISE = 1 << 16;

    private final Size size;
    private final double secondsPerFrame;
    private final Texture ground;
    private final Texture colour;
    private final byte[] noise = new byte[NOISE];
    private final List<Mover> movers = new ArrayList<>();
    private final double phase;
    private final String weather;
    private final long seed;
    private final int points;

    Scene(DemoSettings settings, int episode) {
        size = settings.size();
        points = settings.points();
        secondsPerFrame = 1.0 / settings.framesPerSecond();
        seed = settings.seed() * 1_000_003 + episode;
        SplittableRandom random = new SplittableRandom(seed);
        ground = new Texture(TILE, TILE, 128, random);
        colour = new Texture(TILE, TILE, 256, random);
        for (int i = 0; i < NOISE; i++) {
            noise[i] = (byte) (random.nextInt(4) + random.nextInt(4) - 3);
        }
        phase = random.nextDouble() * 2 * Math.PI;
        weather = WEATHERS[random.nextInt(WEATHERS.length)];
        int count = 2 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            movers.add(new Mover(random, size));
        }
    }

    String weather() {
        return weather;
    }

    /** Seconds of a frame on the episode's clock. */
    double time(int frame) {
        return frame * secondsPerFrame;
    }

    /** Steering angle in radians. */
    double steering(int frame) {
        return 0.3 * Math.sin(time(frame) * 0.9 + phase);
    }

    /** Metres per second. */
    double speed(int frame) {
        return 12 + 3 * Math.sin(time(frame) * 0.4 + 2 * phase);
    }

    /** Metres driven since the start: the integral of {@link #speed}. */
    double driven(int frame) {
        double t = time(frame);
        return 12 * t + 3 / 0.4 * (Math.cos(2 * phase) - Math.cos(t * 0.4 + 2 * phase));
    }

    /** Radians turned since the start: the integral of the steering angle. */
    double heading(int frame) {
        return 0.3 / 0.9 * (Math.cos(phase) - Math.cos(time(frame) * 0.9 + phase));
    }

    /** The objects that the front camera sees, as x1, y1, x2, y2 in its pixels, with their labels. */
    List<Seen> seen(int frame) {
        List<Seen> seen = new ArrayList<>();
        for (Mover mover : movers) {
            int[] box = mover.box(time(frame), 0, size);
            if (box[2] - box[0] >= 2 && box[3] - box[1] >= 2) {
                seen.add(new Seen(mover.label, box[0], box[1], box[2], box[3]));
            }
        }
        return seen;
    }

    /** Draws one frame of one camera as YUV 4:2:0: the Y plane, then U, then V. */
    void draw(int camera, int frame, byte[] yuv) {
        int width = size.width();
        int height = size.height();
        int shiftX = (int) Math.round(driven(frame) * 9 + heading(frame) * 900) + camera * TILE / 3;
        int shiftY = (int) Math.round(4 * Math.sin(time(frame) * 5 + phase));
        for (int y = 0; y < height; y++) {
            ground.row(shiftX, y + shiftY, yuv, y * width, width);
        }
        chroma(yuv, width * height, shiftX / 2, shiftY / 2, 0);
        chroma(yuv, width * height * 5 / 4, shiftX / 2, shiftY / 2, TILE / 2);
        for (Mover mover : movers) {
            mover.draw(yuv, mover.box(time(frame), camera, size), size);
        }
        addNoise(yuv, width * height, camera, frame);
    }

    private void chroma(byte[] yuv, int start, int x, int y, int apart) {
        int width = size.width() / 2;
        for (int row = 0; row < size.height() / 2; row++) {
            int at = start + row * width;
            colour.row(x + apart, y + row, yuv, at, width);
            for (int i = at; i < at + width; i++) {
                yuv[i] = (byte) (96 + ((yuv[i] & 0xff) >> 2));
            }
        }
    }

    /** A range scan: x, y, z of each point in centimetres, on a disc of 60 metres around the car. */
    int[] scan(int frame) {
        SplittableRandom random = new SplittableRandom(seed ^ (frame + 31L) * 0xD1B54A32D192ED03L);
        int[] scan = new int[3 * points];
        for (int i = 0; i < scan.length; i += 3) {
            double angle = 2 * Math.PI * i / scan.length;
            double range = 300 + 5_700 * random.nextDouble();
            scan[i] = (int) Math.round(range * Math.cos(angle));
            scan[i + 1] = (int) Math.round(range * Math.sin(angle));
            scan[i + 2] = random.nextInt(-180, 220);
        }
        return scan;
    }

    /** Camera noise, and the range of video levels. */
    private void addNoise(byte[] yuv, int pixels, int camera, int frame) {
        SplittableRandom random = new SplittableRandom(seed ^ (camera * 7919L + frame) * 0x9E3779B97F4A7C15L);
        int width = size.width();
        for (int start = 0; start < pixels; start += width) {
            int shift = random.nextInt(NOISE);
            for (int i = 0; i < width; i++) {
                int value = 24 + (((yuv[start + i] & 0xff) * 3) >> 2) + noise[(shift + i) & (NOISE - 1)];
                yuv[start + i] = (byte) value;
            }
        }
    }

    /** An object in sight. */
    record Seen(String label, int x1, int y1, int x2, int y2) {}

    /** One object: a striped box on a straight path that wraps round. */
    private static final class Mover {
        final String label;
        private final double x;
        private final double y;
        private final double speedX;
        private final double wide;
        private final double high;
        private final int light;
        private final int blue;
        private final int red;

        Mover(SplittableRandom random, Size size) {
            int kind = random.nextInt(LABELS.length);
            label = LABELS[kind];
            x = random.nextDouble();
            y = 0.35 + 0.45 * random.nextDouble();
            speedX = (random.nextBoolean() ? 1 : -1) * (0.05 + 0.15 * random.nextDouble());
            high = (kind == 1 || kind == 2 ? 0.2 : 0.12) * (0.7 + 0.6 * random.nextDouble());
            double aspect = kind >= 3 ? 0.6 : kind == 0 ? 1.6 : 2.2;
            wide = high * aspect * size.height() / size.width();
            light = 60 + random.nextInt(160);
            blue = 80 + random.nextInt(96);
            red = 80 + random.nextInt(96);
        }

        /** Where it is, cut at the picture's edge; empty when out of sight. */
        int[] box(double time, int camera, Size size) {
            double span = 1 + 2 * wide;
            double place = x + speedX * time + camera * 0.37;
            double from = place - Math.floor(place / span) * span - wide;
            int left = (int) Math.round(from * size.width());
            int top = (int) Math.round(y * size.height());
            int right = left + (int) Math.round(wide * size.width());
            int bottom = top + (int) Math.round(high * size.height());
            return new int[] {
                clamp(left, size.width()),
                clamp(top, size.height()),
                clamp(right, size.width()),
                clamp(bottom, size.height())
            };
        }

        void draw(byte[] yuv, int[] box, Size size) {
            int width = size.width();
            int pixels = width * size.height();
            for (int row = box[1]; row < box[3]; row++) {
                for (int column = box[0]; column < box[2]; column++) {
                    boolean edge = row < box[1] + 3 || row >= box[3] - 3 || column < box[0] + 3 || column >= box[2] - 3;
                    int stripe = (row - box[1]) / 8 % 2 * 24;
                    yuv[row * width + column] = (byte) (edge ? 10 : light + stripe);
                }
            }
            for (int row = box[1] / 2; row < box[3] / 2; row++) {
                for (int column = box[0] / 2; column < box[2] / 2; column++) {
                    yuv[pixels + row * width / 2 + column] = (byte) blue;
                    yuv[pixels * 5 / 4 + row * width / 2 + column] = (byte) red;
                }
            }
        }

        private static int clamp(int value, int limit) {
            return Math.max(0, Math.min(limit, value));
        }
    }
}
