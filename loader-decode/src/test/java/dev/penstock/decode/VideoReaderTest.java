package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.IndexCache;
import dev.penstock.decode.clip.MissingFramesException;
import dev.penstock.decode.ffmpeg.MemoryBlob;
import dev.penstock.decode.ffmpeg.SharedData;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class VideoReaderTest {
    private static final String CLIP = "odd/made_h264_open_gop.mp4";

    private static byte[] bytes(VideoFrame frame) {
        ByteBuffer pixels = frame.pixels();
        byte[] copy = new byte[pixels.remaining()];
        pixels.get(copy);
        return copy;
    }

    private static List<byte[]> all(VideoReader reader) {
        List<byte[]> list = new ArrayList<>();
        for (VideoFrame frame : reader.all()) {
            assertThat(frame.index()).isEqualTo(list.size());
            list.add(bytes(frame));
            frame.close();
        }
        return list;
    }

    @Test
    void framesComeInTheOrderAskedForAndEqualThoseReadInSequence() throws IOException {
        try (VideoReader reader = VideoReader.open(SharedData.file(CLIP))) {
            List<byte[]> whole = all(reader);
            assertThat(whole).hasSize(38);
            int[] asked = {37, 0, 12, 11, 12, 5, 37, 20, 13, 1, 2, 3, 30, 29, 28, 27, 7, 9, 36};
            int at = 0;
            for (VideoFrame frame : reader.frames(asked)) {
                assertThat(frame.index()).isEqualTo(asked[at++]);
                assertThat(frame.pts()).isEqualTo(reader.index().ptsOf(frame.index()));
                assertThat(frame.width() * frame.height() * 3)
                        .isEqualTo(frame.pixels().remaining());
                assertThat(bytes(frame)).isEqualTo(whole.get(frame.index()));
            }
            assertThat(at).isEqualTo(asked.length);
        }
    }

    @Test
    void rangesAndTimesFindTheSameFrames() throws IOException {
        try (VideoReader reader = VideoReader.open(SharedData.file(CLIP).toUri())) {
            assertThat(reader.range(3, 20, 5).indices()).containsExactly(3, 8, 13, 18);
            assertThat(reader.range(3, 3, 5).toList()).isEmpty();
            assertThat(reader.framesAt(0, 0.05, 1.0).indices()).containsExactly(0, 1, 25);
            assertThatThrownBy(() -> reader.framesAt(0.5, 99))
                    .isInstanceOf(ClipException.class)
                    .hasMessageContaining("99.0 s")
                    .hasMessageContaining("0.0 to 1.52 s");
            assertThatThrownBy(() -> reader.frames(38)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> reader.range(0, 39, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> reader.range(0, 9, 0)).hasMessageContaining("step was 0");
        }
    }

    @Test
    void iterationsMayBeLeftEarlyAndInterleaved() throws IOException {
        try (VideoReader reader = VideoReader.open(SharedData.file(CLIP))) {
            List<byte[]> whole = all(reader);
            Iterator<VideoFrame> onward = reader.all().iterator();
            for (int i = 0; i < 20; i++) {
                assertThat(bytes(onward.next())).isEqualTo(whole.get(i));
            }
            Iterator<VideoFrame> other = reader.range(0, 38, 3).iterator();
            for (int i = 20; i < 38; i++) {
                assertThat(bytes(onward.next())).isEqualTo(whole.get(i));
                if (other.hasNext()) {
                    VideoFrame frame = other.next();
                    assertThat(bytes(frame)).isEqualTo(whole.get(frame.index()));
                }
            }
        }
    }

    @Test
    void colourMeansAreThoseOfAnIndependentDecoder() throws IOException {
        for (String name :
                List.of(CLIP, "video/people_1280x720.mp4", "odd/hevc_10bit.mp4", "odd/vp9_odd_161x121.webm")) {
            JsonNode expected = SharedData.expected().get(name);
            try (VideoReader reader = VideoReader.open(SharedData.file(name))) {
                for (JsonNode frame : expected.get("frames")) {
                    byte[] pixels = bytes(
                            reader.frames(frame.get("index").asInt()).iterator().next());
                    double[] sums = new double[3];
                    for (int i = 0; i < pixels.length; i++) {
                        sums[i % 3] += pixels[i] & 0xFF;
                    }
                    for (int c = 0; c < 3; c++) {
                        assertThat(sums[c] * 3 / pixels.length)
                                .as("%s frame %s channel %d", name, frame.get("index"), c)
                                .isCloseTo(frame.get("mean_rgb").get(c).asDouble(), within(2.0));
                    }
                }
            }
        }
    }

    @Test
    void rotationIsAppliedWhenAskedFor() throws IOException {
        var file = SharedData.file("odd/rotate90.mov").toUri();
        try (VideoReader coded = VideoReader.open(file);
                VideoReader shown = VideoReader.builder(file).rotate(true).open()) {
            VideoFrame a = coded.frames(0).iterator().next();
            VideoFrame b = shown.frames(0).iterator().next();
            assertThat(a.width()).isEqualTo(568);
            assertThat(b.width()).isEqualTo(320);
            assertThat(b.height()).isEqualTo(568);
            // Turned 90 degrees clockwise, the coded bottom left corner is the top left one.
            assertThat(b.pixels().get(0)).isEqualTo(a.pixels().get(319 * 568 * 3));
        }
    }

    @Test
    void closedFramesGiveTheirMemoryBackAndRefuseToBeRead() throws IOException {
        try (VideoReader reader = VideoReader.open(SharedData.file(CLIP))) {
            VideoFrame first = reader.frames(0).iterator().next();
            VideoFrame kept = reader.frames(5).iterator().next();
            byte[] before = bytes(kept);
            first.close();
            assertThatThrownBy(first::pixels)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("frame 0");
            reader.frames(9).iterator().next();
            assertThat(bytes(kept)).isEqualTo(before);
        }
    }

    @Test
    void frameThatCannotBeHadIsNamedAndTheOthersAreNot() throws IOException {
        MemoryBlob clean = MemoryBlob.of(SharedData.file("odd/made_vfr_dropped_frames.mp4"));
        byte[] damaged = clean.bytes().clone();
        try (VideoReader reader = VideoReader.open(clean)) {
            int packet = reader.index().packetOf(29);
            long pos = reader.index().packets().pos(packet);
            for (int i = 12; i < reader.index().packets().size(packet); i++) {
                damaged[(int) pos + i] = 0x55;
            }
        }
        try (VideoReader reader = VideoReader.open(new MemoryBlob("damaged.mp4", damaged))) {
            Iterator<VideoFrame> frames = reader.frames(28, 29, 30).iterator();
            assertThat(frames.next().index()).isEqualTo(28);
            UncheckedIOException e = catchThrowableOfType(UncheckedIOException.class, frames::next);
            assertThat(e.getCause())
                    .isInstanceOf(MissingFramesException.class)
                    .hasMessageContaining("damaged.mp4")
                    .hasMessageContaining("frame 29");
            assertThat(frames.next().index()).isEqualTo(30);
            assertThat(frames.hasNext()).isFalse();
        }
    }

    @Test
    void pictureFilesAreClipsOfOneFrame(@TempDir Path folder) throws IOException {
        BufferedImage image = new BufferedImage(37, 21, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 37 * 21; i++) {
            image.setRGB(i % 37, i / 37, 0xC86432);
        }
        for (String type : List.of("png", "jpg")) {
            Path file = folder.resolve("still." + type);
            assertThat(ImageIO.write(image, type, file.toFile())).isTrue();
            try (VideoReader reader = VideoReader.builder(file.toUri())
                    .cache(IndexCache.inFolder(folder.resolve("cache")))
                    .open()) {
                VideoFrame frame = reader.all().toList().get(0);
                assertThat(reader.frameCount()).isEqualTo(1);
                assertThat(List.of(frame.width(), frame.height())).containsExactly(37, 21);
                assertThat(frame.seconds()).isZero();
                byte[] pixels = bytes(frame);
                for (int c = 0; c < 3; c++) {
                    assertThat(pixels[600 + c] & 0xFF).isCloseTo(0xC86432 >> (16 - 8 * c) & 0xFF, within(3));
                }
            }
        }
    }

    @Test
    void webpPicturesAreRead() throws IOException {
        byte[] onePixel = Base64.getDecoder().decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
        try (VideoReader reader = VideoReader.open(new MemoryBlob("pixel.webp", onePixel))) {
            assertThat(reader.index().format().codec()).isEqualTo("webp");
            assertThat(reader.all().toList())
                    .singleElement()
                    .satisfies(f -> assertThat(f.width()).isEqualTo(1));
        }
    }
}
