package dev.penstock.arrow.artifact;

import dev.penstock.data.ElementType;
import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.decode.ffmpeg.ClipEncoder;
import dev.penstock.decode.ffmpeg.EncoderSettings;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A dataset of a few small clips: camera {@code front} at 25 frames a second, camera {@code left} with uneven times that
 * begin later, truth by frame and by time.
 */
final class SmallSource {
    static final Size SIZE = Size.of(96, 64);

    private SmallSource() {}

    /** Makes the dataset; returns its folder. */
    static Path make(Path folder, int episodes, int frames) throws IOException {
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>();
        for (int episode = 0; episode < episodes; episode++) {
            lines.add(episode(folder, episode, frames));
        }
        Files.write(folder.resolve("episodes.jsonl"), lines);
        return folder;
    }

    /** Makes one episode's files; returns its line of the index. */
    static String episode(Path folder, int episode, int frames) throws IOException {
        clip(folder.resolve("front-" + episode + ".mp4"), episode, frames, i -> i * 40L);
        clip(folder.resolve("left-" + episode + ".mp4"), episode + 50, frames, i -> 7 + i * 40L + (i % 3) * 5L);
        Files.writeString(folder.resolve("truth-" + episode + ".json"), truth(episode, frames));
        return "{\"id\": \"ep/" + episode + "\", \"cameras\": {\"front\": \"front-" + episode + ".mp4\","
                + " \"left\": {\"clip\": \"left-" + episode + ".mp4\", \"from\": 0.012}}, \"truth\": \"truth-" + episode
                + ".json\", \"split\": \"" + (episode % 2 == 0 ? "train" : "val") + "\", \"metadata\": {\"n\": "
                + episode
                + "}}";
    }

    /** When a frame appears, in milliseconds. */
    interface Times {
        long of(int frame);
    }

    static void clip(Path file, int seed, int frames, Times times) throws IOException {
        EncoderSettings settings = EncoderSettings.of(ClipCodec.H264, SIZE, 25)
                .timeBase(1, 1000)
                .keyFrameDistance(30)
                .quality(90);
        ByteBuffer pixels = ByteBuffer.allocateDirect(SIZE.width() * SIZE.height() * 3);
        try (ClipEncoder encoder = new ClipEncoder(file, settings)) {
            for (int frame = 0; frame < frames; frame++) {
                draw(pixels, seed, frame);
                encoder.write(times.of(frame), pixels, 0, Layout.THWC);
            }
            encoder.finish();
        }
    }

    /** Slopes that move, and a square whose place says which frame it is. */
    private static void draw(ByteBuffer pixels, int seed, int frame) {
        int squareX = frame * 3 % (SIZE.width() - 16);
        for (int y = 0; y < SIZE.height(); y++) {
            for (int x = 0; x < SIZE.width(); x++) {
                boolean square = x >= squareX && x < squareX + 16 && y >= 20 && y < 36;
                int at = 3 * (y * SIZE.width() + x);
                pixels.put(at, (byte) (square ? 230 : x * 2));
                pixels.put(at + 1, (byte) (square ? 40 + seed * 3 % 100 : y * 3));
                pixels.put(at + 2, (byte) (square ? 60 : 120 + (x + y + frame * 2) % 64));
            }
        }
    }

    private static String truth(int episode, int frames) {
        StringBuilder json = new StringBuilder("{\"weather\": \"rain\", \"records\": [");
        for (int i = 0; i < frames; i++) {
            json.append(i == 0 ? "" : ",\n")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"frame\": %d, \"steering\": %s, \"label\": \"l%d\", \"boxes\": [%s]}",
                            i,
                            Math.sin(episode + i * 0.1),
                            i,
                            "[1, 2, 3, 4.5],".repeat(i % 3).replaceAll(",$", "")));
        }
        return json.append("], \"can\": [{\"time\": 0.0, \"speed\": 1.5}, {\"time\": 9.0, \"speed\": 2.25}]}")
                .toString();
    }

    static View view() {
        Window window = Window.frames(4).every(2);
        return View.builder()
                .video(VideoColumn.of("front", window, Size.of(64, 48)))
                .video(VideoColumn.of("left", window, Size.of(64, 48)).layout(Layout.TCHW))
                .truth("steering", Column.float32())
                .truth("boxes", Column.ragged(ElementType.FLOAT32, 4))
                .truth("label", Column.text())
                .truth("weather", Column.text())
                .truth(
                        "speed",
                        Column.float64()
                                .field("can.speed")
                                .pick(Column.Pick.LINEAR)
                                .tolerance(10))
                .anchors(Anchors.everyFrames(3))
                .build();
    }
}
