package dev.penstock.bench;

import dev.penstock.decode.VideoFrame;
import dev.penstock.decode.VideoReader;
import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.decode.ffmpeg.ClipEncoder;
import dev.penstock.decode.ffmpeg.EncoderSettings;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Clips of the shared benchmark set, and copies of them at training resolution, as an artifact holds them. */
final class SmallClips {
    private SmallClips() {}

    /** The benchmark's clips whose names begin so; the test is skipped where they are absent. */
    static List<Path> shared(String prefix) throws IOException {
        Path folder = Path.of(System.getProperty("penstock.shared", "")).resolve("bench");
        Assumptions.assumeTrue(Files.isDirectory(folder), "shared benchmark clips are absent: " + folder);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    /** Writes the clips at {@code size} with a key frame every {@code gop} frames into {@code folder}. */
    static Path make(List<Path> clips, Path folder, Size size, int gop) throws IOException {
        Files.createDirectories(folder);
        for (Path clip : clips) {
            EncoderSettings settings =
                    EncoderSettings.of(ClipCodec.H264, size, 30).keyFrameDistance(gop);
            try (VideoReader reader =
                            VideoReader.builder(clip.toUri()).size(size).open();
                    ClipEncoder encoder = new ClipEncoder(folder.resolve(clip.getFileName()), settings)) {
                for (VideoFrame frame : reader.all()) {
                    encoder.write(frame.index(), frame.pixels(), 0, Layout.THWC);
                    frame.close();
                }
                encoder.finish();
            }
        }
        return folder;
    }
}
