package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ClipEncoderTest {

    private static final Size SIZE = Size.of(160, 96);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(ClipCodec.class)
    void aRoundTripKeepsPicturesTimesAndKeyFrames(ClipCodec codec) throws IOException {
        Path file = folder.resolve(codec == ClipCodec.VP8 ? "clip.mkv" : "clip.mp4");
        EncoderSettings settings =
                EncoderSettings.of(codec, SIZE, 25).keyFrameDistance(8).quality(85);
        List<byte[]> pictures = write(file, settings, 30, i -> i);
        try (Pictures clip = Pictures.of(file, 1000);
                Scaler scaler = new Scaler()) {
            assertThat(clip.frames).hasSize(30);
            assertTimes(clip, settings, 30, i -> i);
            for (int i = 0; i < 30; i++) {
                assertThat(clip.keys.get(i)).as("frame %d", i).isEqualTo(i % 8 == 0 || codec == ClipCodec.MJPEG);
                byte[] decoded =
                        Pictures.scaled(scaler, clip.frames.get(i), clip.shape, PictureTransform.of(SIZE, Layout.THWC));
                assertThat(Rgb.psnr(decoded, pictures.get(i))).as("frame %d", i).isGreaterThan(30);
            }
            assertThat(clip.frames.get(0).colorspace()).isIn(AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG);
            assertThat(clip.frames.get(0).color_range())
                    .isEqualTo(codec == ClipCodec.MJPEG ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG);
        }
    }

    @ParameterizedTest
    @CsvSource({"H264,mp4", "AV1,mp4", "VP9,mp4", "MJPEG,mov", "MPEG4,mp4", "H264,mkv", "VP9,webm"})
    void unevenTimesFromAnyStartAreKeptToTheTick(ClipCodec codec, String extension) throws IOException {
        boolean milliseconds = !extension.startsWith("m") || extension.equals("mkv");
        EncoderSettings settings =
                EncoderSettings.of(codec, SIZE, 30).timeBase(milliseconds ? 1 : 7, milliseconds ? 1000 : 90_001);
        Path file = folder.resolve("uneven." + extension);
        write(file, settings, 20, ClipEncoderTest::uneven);
        try (Pictures clip = Pictures.of(file, 1000)) {
            assertTimes(clip, settings, 20, ClipEncoderTest::uneven);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ClipCodec.class,
            names = {"H264", "MJPEG", "MPEG4", "VP9", "AV1"})
    void equalPicturesGiveEqualFiles(ClipCodec codec) throws IOException {
        EncoderSettings settings = EncoderSettings.of(codec, SIZE, 25);
        write(folder.resolve("a.mp4"), settings, 12, i -> i);
        write(folder.resolve("b.mp4"), settings, 12, i -> i);
        assertThat(folder.resolve("a.mp4")).hasSameBinaryContentAs(folder.resolve("b.mp4"));
    }

    @Test
    void bothMatricesGiveTheColoursThatWereWritten() throws IOException {
        for (boolean bt709 : new boolean[] {false, true}) {
            Path file = folder.resolve("colour" + bt709 + ".mp4");
            byte[] plain = plain(200, 60, 90);
            ByteBuffer pixels = Pictures.target(plain.length);
            pixels.put(0, plain);
            try (ClipEncoder encoder = new ClipEncoder(
                    file,
                    EncoderSettings.of(ClipCodec.H264, SIZE, 25).bt709(bt709).quality(95))) {
                encoder.write(0, pixels, 0, Layout.THWC);
                encoder.finish();
            }
            try (Pictures clip = Pictures.of(file, 10);
                    Scaler scaler = new Scaler()) {
                byte[] decoded =
                        Pictures.scaled(scaler, clip.frames.get(0), clip.shape, PictureTransform.of(SIZE, Layout.THWC));
                assertThat(Rgb.difference(decoded, plain)).as("bt709 %s", bt709).isLessThan(2);
                assertThat(clip.frames.get(0).colorspace()).isEqualTo(bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M);
            }
        }
    }

    @Test
    void planarAndInterleavedAndYuvPicturesGiveTheSameClip() throws IOException {
        EncoderSettings settings = EncoderSettings.of(ClipCodec.H264, SIZE, 25).quality(95);
        byte[] interleaved = picture(3);
        ByteBuffer pixels = Pictures.target(interleaved.length);
        pixels.put(0, interleaved);
        ByteBuffer planes = Pictures.target(interleaved.length);
        int plane = SIZE.width() * SIZE.height();
        for (int i = 0; i < interleaved.length; i++) {
            planes.put(i % 3 * plane + i / 3, interleaved[i]);
        }
        one(folder.resolve("a.mp4"), settings, encoder -> encoder.write(5, pixels, 0, Layout.THWC));
        one(folder.resolve("b.mp4"), settings, encoder -> encoder.write(5, planes, 0, Layout.TCHW));
        try (Pictures a = Pictures.of(folder.resolve("a.mp4"), 2);
                Pictures b = Pictures.of(folder.resolve("b.mp4"), 2);
                Scaler scaler = new Scaler()) {
            PictureTransform transform = PictureTransform.of(SIZE, Layout.THWC);
            byte[] first = Pictures.scaled(scaler, a.frames.get(0), a.shape, transform);
            byte[] second = Pictures.scaled(scaler, b.frames.get(0), b.shape, transform);
            assertThat(Rgb.difference(first, second)).isLessThan(0.5);
        }
        ByteBuffer yuv = Pictures.target(plane * 3 / 2);
        for (int i = 0; i < yuv.capacity(); i++) {
            yuv.put(i, (byte) (i < plane ? 16 + i % SIZE.width() : i < plane * 5 / 4 ? 90 : 160));
        }
        one(folder.resolve("c.mp4"), settings, encoder -> encoder.writeYuv420(0, yuv, 0));
        try (Pictures c = Pictures.of(folder.resolve("c.mp4"), 2);
                Scaler scaler = new Scaler()) {
            byte[] decoded = Pictures.scaled(scaler, c.frames.get(0), c.shape, PictureTransform.of(SIZE, Layout.THWC));
            double[] wanted = Rgb.of(AVCOL_SPC_SMPTE170M, false, 16 + 80, 90, 160);
            for (int channel = 0; channel < 3; channel++) {
                assertThat((double) Rgb.at(decoded, SIZE.width(), SIZE.height(), Layout.THWC, 80, 40, channel))
                        .isBetween(wanted[channel] - 5, wanted[channel] + 5);
            }
        }
    }

    @Test
    void anUnfinishedClipLeavesNothing() throws IOException {
        Path file = folder.resolve("half.mp4");
        try (ClipEncoder encoder = new ClipEncoder(file, EncoderSettings.of(ClipCodec.H264, SIZE, 25))) {
            encoder.write(0, Pictures.target(3 * SIZE.width() * SIZE.height()), 0, Layout.THWC);
            try (var files = Files.list(folder)) {
                assertThat(files).hasSize(1).doesNotContain(file);
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void timesThatCantBeKeptAreRefusedNotRounded() throws IOException {
        ByteBuffer pixels = Pictures.target(3 * SIZE.width() * SIZE.height());
        try (ClipEncoder encoder =
                new ClipEncoder(folder.resolve("a.mkv"), EncoderSettings.of(ClipCodec.H264, SIZE, 30))) {
            encoder.write(0, pixels, 0, Layout.THWC);
            assertThatThrownBy(() -> {
                        encoder.write(1, pixels, 0, Layout.THWC);
                        encoder.write(2, pixels, 0, Layout.THWC);
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no whole number")
                    .hasMessageContaining(".mp4");
        }
        try (ClipEncoder encoder =
                new ClipEncoder(folder.resolve("b.mp4"), EncoderSettings.of(ClipCodec.H264, SIZE, 30))) {
            assertThatThrownBy(() -> encoder.write(-1, pixels, 0, Layout.THWC)).hasMessageContaining("pts -1");
            encoder.write(4, pixels, 0, Layout.THWC);
            assertThatThrownBy(() -> encoder.write(4, pixels, 0, Layout.THWC))
                    .hasMessageContaining("above the one before (4)");
        }
    }

    @Test
    void wrongSettingsAreAllNamedAtOnce() {
        assertThatThrownBy(() -> new EncoderSettings(ClipCodec.H264, Size.of(333, 187), 0, 0, 1, 25, 25, 1, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("quality was 0")
                .hasMessageContaining("keyFrameDistance was 0")
                .hasMessageContaining("333x187");
    }

    @Test
    void codecsThatFitNoContainerAndForeignContainersAreRefused() {
        assertThatThrownBy(() -> new ClipEncoder(folder.resolve("a.mp4"), EncoderSettings.of(ClipCodec.VP8, SIZE, 25)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("VP8 does not go into .mp4");
        assertThatThrownBy(
                        () -> new ClipEncoder(folder.resolve("a.avi"), EncoderSettings.of(ClipCodec.MPEG4, SIZE, 25)))
                .hasMessageContaining("must be mp4, mov, mkv or webm");
        assertThatThrownBy(() ->
                        new ClipEncoder(folder.resolve("no/such/a.mp4"), EncoderSettings.of(ClipCodec.H264, SIZE, 25)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("folder does not exist");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"VP9,161,121", "MJPEG,333,187", "MPEG4,67,43", "H264,16,16", "H264,18,30", "AV1,64,64", "AV1,99,65"})
    void oddAndSmallSizesRoundTrip(ClipCodec codec, int width, int height) throws IOException {
        Size size = Size.of(width, height);
        Path file = folder.resolve("odd.mp4");
        ByteBuffer pixels = Pictures.target(3 * width * height);
        for (int i = 0; i < pixels.capacity(); i++) {
            pixels.put(i, (byte) (i / 3 % width * 200 / width));
        }
        one(file, EncoderSettings.of(codec, size, 25).quality(90), encoder -> encoder.write(0, pixels, 0, Layout.THWC));
        try (Pictures clip = Pictures.of(file, 2);
                Scaler scaler = new Scaler()) {
            byte[] decoded =
                    Pictures.scaled(scaler, clip.frames.get(0), clip.shape, PictureTransform.of(size, Layout.THWC));
            byte[] wanted = new byte[pixels.capacity()];
            pixels.get(0, wanted);
            assertThat(Rgb.difference(decoded, wanted)).isLessThan(3);
        }
    }

    private interface Writing {
        void to(ClipEncoder encoder) throws IOException;
    }

    private static void one(Path file, EncoderSettings settings, Writing writing) throws IOException {
        try (ClipEncoder encoder = new ClipEncoder(file, settings)) {
            writing.to(encoder);
            encoder.finish();
        }
    }

    private static long uneven(long i) {
        return 41 + i * 40 + (i % 3) * 11;
    }

    private static List<byte[]> write(
            Path file, EncoderSettings settings, int frames, java.util.function.LongUnaryOperator time)
            throws IOException {
        List<byte[]> pictures = new ArrayList<>();
        try (ClipEncoder encoder = new ClipEncoder(file, settings)) {
            ByteBuffer pixels = Pictures.target(3 * SIZE.width() * SIZE.height());
            for (int i = 0; i < frames; i++) {
                byte[] picture = picture(i);
                pixels.put(0, picture);
                encoder.write(time.applyAsLong(i), pixels, 0, Layout.THWC);
                pictures.add(picture);
            }
            encoder.finish();
        }
        return pictures;
    }

    private static void assertTimes(
            Pictures clip, EncoderSettings settings, int frames, java.util.function.LongUnaryOperator time) {
        assertThat(clip.pts).hasSize(frames);
        for (int i = 0; i < frames; i++) {
            assertThat(clip.pts.get(i) * clip.timeBaseNumerator * settings.timeBaseDenominator())
                    .as("frame %d of %s", i, clip.pts)
                    .isEqualTo(time.applyAsLong(i) * settings.timeBaseNumerator() * clip.timeBaseDenominator);
        }
    }

    /** A smooth picture with a moving square, so that every encoder keeps it well. */
    private static byte[] picture(int index) {
        byte[] picture = new byte[3 * SIZE.width() * SIZE.height()];
        for (int y = 0; y < SIZE.height(); y++) {
            for (int x = 0; x < SIZE.width(); x++) {
                boolean square = x >= 20 + 2 * index && x < 52 + 2 * index && y >= 30 && y < 62;
                int at = 3 * (y * SIZE.width() + x);
                picture[at] = (byte) (square ? 220 : 40 + x);
                picture[at + 1] = (byte) (square ? 200 : 60 + y);
                picture[at + 2] = (byte) (square ? 190 : 120 - y / 2);
            }
        }
        return picture;
    }

    private static byte[] plain(int red, int green, int blue) {
        byte[] picture = new byte[3 * SIZE.width() * SIZE.height()];
        for (int i = 0; i < picture.length; i += 3) {
            picture[i] = (byte) red;
            picture[i + 1] = (byte) green;
            picture[i + 2] = (byte) blue;
        }
        return picture;
    }
}
