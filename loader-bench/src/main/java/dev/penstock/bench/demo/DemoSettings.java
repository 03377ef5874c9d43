package dev.penstock.bench.demo;

import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.view.Size;
import java.util.ArrayList;
import java.util.List;

/**
 * What a demo dataset holds. Equal settings give equal pictures and truth.
 *
 * @param seed of everything
 * @param episodes number of episodes
 * @param seconds length of each episode
 * @param framesPerSecond of every camera
 * @param size of every camera's pictures
 * @param codec of the clips
 * @param keyFrameDistance frames from one key frame to the next
 * @param points of a range scan that each record of the truth has; 0: none
 */
public record DemoSettings(
        long seed,
        int episodes,
        int seconds,
        int framesPerSecond,
        Size size,
        ClipCodec codec,
        int keyFrameDistance,
        int points) {

    /** Six episodes of six seconds at 25 frames a second, 1280x720 H.264, a key frame every two seconds. */
    public static final DemoSettings STANDARD =
            new DemoSettings(7, 6, 6, 25, Size.of(1280, 720), ClipCodec.H264, 50, 0);

    private static final int SMALLEST = 64;

    public DemoSettings {
        List<String> wrong = new ArrayList<>();
        require(wrong, episodes >= 1, "episodes was " + episodes + ", must be at least 1");
        require(wrong, seconds >= 1, "seconds was " + seconds + ", must be at least 1");
        require(
                wrong,
                framesPerSecond >= 1 && framesPerSecond <= 240,
                "framesPerSecond was " + framesPerSecond + ", must be 1 to 240");
        require(
                wrong,
                size.width() % 2 == 0 && size.height() % 2 == 0 && Math.min(size.width(), size.height()) >= SMALLEST,
                "size was " + size + ", sides must be even and at least " + SMALLEST);
        require(wrong, keyFrameDistance >= 1, "keyFrameDistance was " + keyFrameDistance + ", must be at least 1");
        require(wrong, points >= 0, "points was " + points + ", must be at least 0");
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("demo settings: " + String.join("; ", wrong));
        }
    }

    /** Frames of one clip. */
    public int frames() {
        return seconds * framesPerSecond;
    }

    /** The same with other numbers of episodes and seconds. */
    public DemoSettings length(int otherEpisodes, int otherSeconds) {
        return new DemoSettings(
                seed, otherEpisodes, otherSeconds, framesPerSecond, size, codec, keyFrameDistance, points);
    }

    /** The same at another size. */
    public DemoSettings size(Size other) {
        return new DemoSettings(seed, episodes, seconds, framesPerSecond, other, codec, keyFrameDistance, points);
    }

    /** The same with a key frame every so many frames. */
    public DemoSettings keyFrames(int distance) {
        return new DemoSettings(seed, episodes, seconds, framesPerSecond, size, codec, distance, points);
    }

    /** The same with a range scan of so many points in each record of the truth. */
    public DemoSettings points(int each) {
        return new DemoSettings(seed, episodes, seconds, framesPerSecond, size, codec, keyFrameDistance, each);
    }

    private static void require(List<String> wrong, boolean holds, String message) {
        if (!holds) {
            wrong.add(message);
        }
    }
}
