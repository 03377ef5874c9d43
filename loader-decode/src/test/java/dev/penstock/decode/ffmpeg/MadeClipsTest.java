package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds of clip that no sample stands for, made here: frames, times, and random access equal to sequential decoding. */
class MadeClipsTest {
    private static final int FRAMES = 21;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "prores_ks, yuv422p10le, mov",
        "prores_ks, yuva444p10le, mov",
        "prores_ks, yuv422p10le, mkv",
        "prores, yuv422p10le, mov",
        "libvpx, yuv420p, webm",
        "libvpx, yuv420p, mkv",
        "libvpx, yuv420p, ivf",
        "libvpx, yuv420p, avi",
        "libopenh264, yuv420p, ts",
        "mjpeg, yuvj422p, mov",
    })
    void framesAreThoseOfAPlainLoopInAnyOrder(String encoder, String format, String container) throws IOException {
        List<AVFrame> pictures = pictures(av_get_pix_fmt(format), 96, 64, FRAMES, 5);
        Map<String, String> options = switch (encoder) {
            case "libvpx" -> Map.of("auto-alt-ref", "1", "lag-in-frames", "12", "b", "400k");
            case "prores_ks" -> Map.of("profile", format.startsWith("yuva") ? "4" : "3");
            default -> Map.of();
        };
        Path file = MadeClip.encode(encoder, options, pictures).write(folder.resolve("clip." + container), Map.of());
        MemoryBlob blob = MemoryBlob.of(file);
        ClipIndex index = new ClipIndexer().index(blob);
        assertThat(index.frameCount()).isEqualTo(FRAMES);
        assertThat(index.format().pixelFormat()).isEqualTo(format.equals("yuva444p10le") ? "yuva444p12le" : format);
        assertEvenTimes(index);
        @Nullable String[] whole = Frames.sequential(index, blob);
        assertThat(whole).isEqualTo(plain(file));
        assertRandomEqualsSequential(index, blob, whole);
        try (Pictures decoded = Pictures.of(file, FRAMES);
                Scaler scaler = new Scaler()) {
            PictureTransform transform = PictureTransform.of(Size.of(96, 64), Layout.THWC);
            for (int i = 0; i < FRAMES; i++) {
                byte[] wanted = Pictures.scaled(scaler, pictures.get(i), DisplayShape.AS_CODED, transform);
                byte[] got = Pictures.scaled(scaler, decoded.frames.get(i), DisplayShape.AS_CODED, transform);
                assertThat(Rgb.psnr(got, wanted)).as("frame %d", i).isGreaterThan(24);
            }
        } finally {
            pictures.forEach(frame -> av_frame_free(frame));
        }
    }

    static void assertEvenTimes(ClipIndex index) {
        double start = index.startSeconds();
        for (int i = 0; i < index.frameCount(); i++) {
            assertThat(index.secondsOf(i) - start).as("frame %d", i).isCloseTo(i / 25.0, within());
        }
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.api.Assertions.within(0.00101); // mkv and webm hold milliseconds
    }

    static void assertRandomEqualsSequential(ClipIndex index, MemoryBlob blob, @Nullable String[] whole)
            throws IOException {
        SplittableRandom random = new SplittableRandom(41);
        try (FrameDecoder decoder = new FrameDecoder();
                FrameDecoder other = new FrameDecoder()) {
            for (int i = 0; i < 25; i++) {
                int first = random.nextInt(index.frameCount());
                int stride = 1 + random.nextInt(3);
                int[] wanted = IntStream.range(0, 1 + random.nextInt(6))
                        .map(n -> Math.min(index.frameCount() - 1, first + n * stride))
                        .toArray();
                @Nullable
                String[] expected = IntStream.of(wanted).mapToObj(n -> whole[n]).toArray(String[]::new);
                assertThat(Frames.hashes(decoder, index, blob, new WindowPlan(), wanted))
                        .as("frames %s", wanted)
                        .isEqualTo(expected);
                assertThat(Frames.hashes(other, Frames.demuxed(index), blob, new WindowPlan(), wanted))
                        .as("frames %s, demuxed", wanted)
                        .isEqualTo(expected);
                WindowPlan onward = new WindowPlan().ending(WindowPlan.Ending.CONTINUE);
                assertThat(Frames.hashes(other, index, blob, onward, wanted))
                        .as("frames %s, onward", wanted)
                        .isEqualTo(expected);
            }
        }
    }

    /** What avformat and avcodec say, without any of our code between. */
    static String[] plain(Path file) {
        try (Pictures pictures = Pictures.of(file, Integer.MAX_VALUE)) {
            return pictures.frames.stream().map(Frames::md5).toArray(String[]::new);
        }
    }

    /** Smooth seeded pictures that move, in any planar format. */
    static List<AVFrame> pictures(int format, int width, int height, int count, long seed) {
        List<AVFrame> list = new ArrayList<>();
        var descriptor = av_pix_fmt_desc_get(format);
        for (int i = 0; i < count; i++) {
            AVFrame frame = Pictures.blank(format, width, height);
            for (int plane = 0; plane < descriptor.nb_components(); plane++) {
                boolean chroma = plane == 1 || plane == 2;
                int w = chroma ? width >> descriptor.log2_chroma_w() : width;
                int h = chroma ? height >> descriptor.log2_chroma_h() : height;
                int shift = descriptor.comp(plane).depth() - 8;
                BytePointer data = frame.data(plane);
                for (int y = 0; y < h; y++) {
                    for (int x = 0; x < w; x++) {
                        int value = 60 + (int) ((x * 2 + y + i * (3 + plane) + seed * 7) % 97);
                        long at = (long) y * frame.linesize(plane);
                        if (shift == 0) {
                            data.put(at + x, (byte) value);
                        } else {
                            data.putShort(at + 2L * x, (short) (value << shift));
                        }
                    }
                }
            }
            list.add(frame);
        }
        return list;
    }

    @ParameterizedTest
    @CsvSource({
        "ts, false, false",
        "ts, false, true",
        "mov, false, false",
        "mov, false, true",
        "mov, true, false",
        "mov, true, true",
        "mkv, false, true",
        "mkv, true, true"
    })
    void fieldPicturesMakeOneFrameOfTwo(String container, boolean joined, boolean reordered) throws IOException {
        FieldPictures fields = FieldPictures.encode(20, 7, reordered, 3);
        Path file = fieldClip(fields, joined, reordered).write(folder.resolve("paff." + container), Map.of());
        String[] shown = IntStream.range(0, fields.frames())
                .mapToObj(i -> md5(fields.shown(i)))
                .toArray(String[]::new);
        assertThat(plain(file)).as("the clip itself").isEqualTo(shown);
        MemoryBlob blob = MemoryBlob.of(file);
        ClipIndex index = new ClipIndexer().index(blob);
        assertThat(index.frameCount()).isEqualTo(20);
        assertThat(index.hasParts()).isEqualTo(!joined);
        assertEvenTimes(index);
        assertThat(Frames.sequential(index, blob)).isEqualTo(shown);
        assertRandomEqualsSequential(index, blob, shown);
    }

    private static String md5(byte[] picture) {
        AVFrame frame = Pictures.blank(AV_PIX_FMT_YUV420P, FieldPictures.SIDE, FieldPictures.SIDE);
        int at = 0;
        for (int plane = 0; plane < 3; plane++) {
            int side = plane == 0 ? FieldPictures.SIDE : FieldPictures.SIDE / 2;
            for (int y = 0; y < side; y++, at += side) {
                frame.data(plane).position((long) y * frame.linesize(plane)).put(picture, at, side);
            }
        }
        String hash = Frames.md5(frame);
        av_frame_free(frame);
        return hash;
    }

    /** A packet for each field, or for both of a frame. */
    private static MadeClip fieldClip(FieldPictures fields, boolean joined, boolean reordered) {
        List<MadeClip.Packet> packets = new ArrayList<>();
        List<FieldPictures.Field> all = fields.fields();
        int delay = reordered ? 1 : 0;
        for (int i = 0; i < all.size(); i += 2) {
            FieldPictures.Field first = all.get(i);
            byte[] a = first.bytes();
            byte[] b = all.get(i + 1).bytes();
            long dts = 2L * (i / 2 - delay);
            long pts = 2L * first.frame();
            if (joined) {
                byte[] both = new byte[a.length + b.length];
                System.arraycopy(a, 0, both, 0, a.length);
                System.arraycopy(b, 0, both, a.length, b.length);
                packets.add(new MadeClip.Packet(both, pts, dts, 2, first.key(), new byte[0]));
            } else {
                packets.add(new MadeClip.Packet(a, pts, dts, 1, first.key(), new byte[0]));
                packets.add(new MadeClip.Packet(b, pts + 1, dts + 1, 1, false, new byte[0]));
            }
        }
        return new MadeClip(
                org.bytedeco.ffmpeg.global.avcodec.AV_CODEC_ID_H264,
                0,
                AV_PIX_FMT_YUV420P,
                FieldPictures.SIDE,
                FieldPictures.SIDE,
                FieldPictures.parameterSets(),
                packets);
    }

    @Test
    void parameterSetsOfAnotherSizeMidwayInATransportStreamAreFollowed() throws IOException {
        MadeClip small = h264(96, 64, 11, Map.of("in-band", "1"));
        MadeClip large = h264(160, 112, 12, Map.of("in-band", "1"));
        Path file = small.then(large, false).then(small, false).write(folder.resolve("sizes.ts"), Map.of());
        assertThat(assertSizes(file, 34, i -> i < 11 || i >= 23 ? 96 : 160).formatChanges())
                .isEmpty();
    }

    @Test
    void severalSampleEntriesInAnMp4AreFollowed() throws IOException {
        MadeClip small = h264(96, 64, 11, Map.of());
        MadeClip large = h264(160, 112, 12, Map.of());
        Path file = small.then(large, true).then(small, true).write(folder.resolve("sizes.mp4"), Map.of());
        assertThat(assertSizes(file, 34, i -> i < 11 || i >= 23 ? 96 : 160).formatChanges())
                .extracting(ClipIndex.FormatChange::packet)
                .containsExactly(11, 23);
    }

    private static MadeClip h264(int width, int height, int frames, Map<String, String> options) {
        List<AVFrame> pictures = pictures(AV_PIX_FMT_YUV420P, width, height, frames, width);
        try {
            return MadeClip.encode("libopenh264", options, pictures);
        } finally {
            pictures.forEach(frame -> av_frame_free(frame));
        }
    }

    private static ClipIndex assertSizes(Path file, int frames, java.util.function.IntUnaryOperator width)
            throws IOException {
        MemoryBlob blob = MemoryBlob.of(file);
        ClipIndex index = new ClipIndexer().index(blob);
        assertThat(index.frameCount()).isEqualTo(frames);
        assertEvenTimes(index);
        try (FrameDecoder decoder = new FrameDecoder()) {
            int[] all = IntStream.range(0, frames).toArray();
            WindowPlan plan = new WindowPlan().plan(index, all, 0, frames);
            List<Integer> widths = new ArrayList<>();
            decoder.decode(index, plan, Frames.read(blob, plan), blob, (ordinal, frame) -> widths.add(frame.width()));
            assertThat(widths).isEqualTo(IntStream.of(all).map(width).boxed().toList());
        }
        @Nullable String[] whole = Frames.sequential(index, blob);
        assertThat(whole).isEqualTo(plain(file));
        assertRandomEqualsSequential(index, blob, whole);
        return index;
    }
}
