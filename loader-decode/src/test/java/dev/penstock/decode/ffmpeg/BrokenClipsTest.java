package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.MissingFramesException;
import dev.penstock.decode.clip.WindowPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is not there, or not right, is said, and never passed off as a frame. */
class BrokenClipsTest {
    private static ClipException failure(MemoryBlob blob, int stream, DecodeLimits limits) {
        return catchThrowableOfType(ClipException.class, () -> new ClipIndexer(limits, null).index(blob, stream));
    }

    private static ClipException failure(MemoryBlob blob) {
        return failure(blob, -1, DecodeLimits.DEFAULT);
    }

    @Test
    void audioOnlyFileSaysThatItHasNoVideoAndWhatItHas() throws IOException {
        ClipException e = failure(MemoryBlob.of(SharedData.file("odd/audio_only.mp4")));
        assertThat(e.kind()).isEqualTo(Kind.NO_VIDEO);
        assertThat(e).hasMessageContaining("audio_only.mp4").hasMessageContaining("audio aac");
    }

    @Test
    void emptyTextAndNoiseFilesAreRefusedByKind() {
        assertThat(failure(new MemoryBlob("empty", new byte[0])).kind()).isEqualTo(Kind.EMPTY);
        byte[] text = "frame,time\n1,0.04\n".repeat(200).getBytes(StandardCharsets.UTF_8);
        assertThat(failure(new MemoryBlob("text", text)).kind()).isEqualTo(Kind.NOT_MEDIA);
        byte[] noise = new byte[5000];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) (i * 7 + i / 13);
        }
        assertThat(failure(new MemoryBlob("noise", noise)).kind()).isEqualTo(Kind.NOT_MEDIA);
    }

    @Test
    void aStreamThatIsAbsentOrNoVideoIsNamed() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/car-detection.mp4"));
        assertThat(failure(blob, 1, DecodeLimits.DEFAULT))
                .hasMessageContaining("stream 1 is not video")
                .extracting(ClipException::kind)
                .isEqualTo(Kind.NO_VIDEO);
        assertThat(failure(blob, 9, DecodeLimits.DEFAULT)).hasMessageContaining("no stream 9");
    }

    @Test
    void mp4CutBeforeItsMoovIsTruncated() throws IOException {
        byte[] whole = MemoryBlob.of(SharedData.file("odd/one_frame.mp4")).bytes();
        ClipException e = failure(new MemoryBlob("cut.mp4", Arrays.copyOf(whole, whole.length / 2)));
        assertThat(e.kind()).isEqualTo(Kind.TRUNCATED);
        assertThat(e).hasMessageContaining("no moov box");
    }

    @Test
    void fastStartFileThatIsCutKeepsTheFramesThatAreThere() throws IOException {
        MemoryBlob whole = MemoryBlob.of(SharedData.file("video/car-detection.mp4"));
        MemoryBlob cut = new MemoryBlob("cut.mp4", Arrays.copyOf(whole.bytes(), whole.bytes().length / 2));
        ClipIndex index = new ClipIndexer().index(cut);
        assertThat(index.truncated()).isTrue();
        assertThat(index.frameCount()).isBetween(100, 250);
        int last = index.frameCount() - 1;
        try (FrameDecoder decoder = new FrameDecoder()) {
            @Nullable String[] there = Frames.hashes(decoder, index, cut, new WindowPlan(), last);
            ClipIndex full = new ClipIndexer().index(whole);
            assertThat(there[0]).isNotNull().isEqualTo(Frames.hashes(decoder, full, whole, new WindowPlan(), last)[0]);
        }
    }

    @Test
    void limitsAreKept() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/car-detection.mp4"));
        DecodeLimits limits = DecodeLimits.DEFAULT;
        assertThat(failure(blob, -1, limits.withMaxPixels(768 * 432 - 1)))
                .hasMessageContaining("768x432")
                .extracting(ClipException::kind)
                .isEqualTo(Kind.LIMIT);
        assertThat(failure(blob, -1, limits.withMaxPackets(376)).kind()).isEqualTo(Kind.LIMIT);
        assertThat(failure(blob, -1, limits.withMaxPacketBytes(100)).kind()).isEqualTo(Kind.LIMIT);
    }

    @Test
    void decodeThatTakesTooLongIsStopped() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/small_robot.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        DecodeLimits limits = DecodeLimits.DEFAULT.withMaxDecodeTime(Duration.ofNanos(1));
        WindowPlan plan = new WindowPlan().plan(index, new int[] {150}, 0, 1);
        try (FrameDecoder decoder = new FrameDecoder(limits, 1)) {
            MissingFramesException e = catchThrowableOfType(
                    MissingFramesException.class,
                    () -> decoder.decode(index, plan, Frames.read(blob, plan), blob, (i, f) -> {}));
            assertThat(e.kind()).isEqualTo(Kind.LIMIT);
            assertThat(e.frames()).containsExactly(150);
        }
    }

    @Test
    void damagedPacketFailsTheFramesThatDependOnItAndNoOthers() throws IOException {
        MemoryBlob clean = MemoryBlob.of(SharedData.file("odd/made_vfr_dropped_frames.mp4"));
        ClipIndex index = new ClipIndexer().index(clean);
        byte[] bytes = clean.bytes().clone();
        int frame = 20;
        int packet = index.packetOf(frame);
        Arrays.fill(
                bytes,
                (int) index.packets().pos(packet) + 12,
                (int) index.packets().pos(packet) + index.packets().size(packet),
                (byte) 0x55);
        MemoryBlob damaged = new MemoryBlob("damaged.mp4", bytes);
        ClipIndex again = new ClipIndexer().index(damaged);
        int[] all = IntStream.range(0, again.frameCount()).toArray();
        @Nullable String[] whole = Frames.sequential(index, clean);
        try (FrameDecoder decoder = new FrameDecoder()) {
            WindowPlan plan = new WindowPlan().plan(again, all, 0, all.length);
            @Nullable String[] got = new String[all.length];
            MissingFramesException e = catchThrowableOfType(
                    MissingFramesException.class,
                    () -> decoder.decode(
                            again, plan, Frames.read(damaged, plan), damaged, (i, f) -> got[i] = Frames.md5(f)));
            // Keys are at 0, 15, 30 and 45; there are no B-frames.
            assertThat(e.frames()).containsExactly(IntStream.range(20, 30).toArray());
            assertThat(e.ordinals()).isEqualTo(e.frames());
            assertThat(e.kind()).isEqualTo(Kind.DAMAGED);
            assertThat(e)
                    .hasMessageContaining("damaged.mp4")
                    .hasMessageContaining("frame 20")
                    .hasMessageContaining("byte " + index.packets().pos(packet));
            for (int i : all) {
                assertThat(got[i]).isEqualTo(i >= 20 && i < 30 ? null : whole[i]);
            }
        }
    }

    @Test
    void noDamagedH264FrameIsDeliveredWhateverTheOrderOfDecoding() throws IOException {
        MemoryBlob clean = MemoryBlob.of(SharedData.file("odd/made_h264_open_gop.mp4"));
        ClipIndex index = new ClipIndexer().index(clean);
        @Nullable String[] whole = Frames.sequential(index, clean);
        int[] all = IntStream.range(0, index.frameCount()).toArray();
        int missing = 0;
        try (FrameDecoder decoder = new FrameDecoder()) {
            for (int trial = 0; trial < 12; trial++) {
                SplittableRandom random = new SplittableRandom(trial);
                byte[] bytes = clean.bytes().clone();
                int packet = random.nextInt(index.packets().count());
                int from = (int) index.packets().pos(packet) + 20;
                int size = index.packets().size(packet) - 20;
                for (int i = 0; i < 24 && size > 0; i++) {
                    bytes[from + random.nextInt(size)] = (byte) random.nextInt(256);
                }
                MemoryBlob damaged = new MemoryBlob("damaged.mp4", bytes);
                @Nullable String[] got = Frames.hashes(decoder, index, damaged, new WindowPlan(), all);
                for (int i : all) {
                    assertThat(got[i]).as("trial %d, frame %d", trial, i).isIn(null, whole[i]);
                    missing += got[i] == null ? 1 : 0;
                }
            }
        }
        assertThat(missing).isPositive();
    }

    @Test
    void plansOfAnotherFileAreRefused() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("odd/one_frame.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        WindowPlan plan = new WindowPlan().plan(index, new int[] {0}, 0, 1);
        try (FrameDecoder decoder = new FrameDecoder()) {
            IllegalArgumentException e = catchThrowableOfType(
                    IllegalArgumentException.class,
                    () -> decoder.decode(index, plan, java.nio.ByteBuffer.allocateDirect(10), null, (i, f) -> {}));
            assertThat(e).hasMessageContaining("the plan needs " + plan.byteCount() + " bytes");
        }
    }
}
