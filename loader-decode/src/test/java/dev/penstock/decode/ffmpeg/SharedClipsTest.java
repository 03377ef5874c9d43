package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.ClipIndexFile;
import dev.penstock.decode.clip.WindowPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every real clip against what an independent decoder says of it, by every way of decoding. */
class SharedClipsTest {
    /** Clips that are decoded whole are at most this long. */
    private static final int WHOLE = 500;

    static Stream<Arguments> clips() {
        JsonNode expected = SharedData.expected();
        return expected.propertyNames().stream()
                .filter(name -> expected.get(name).path("n_frames").asInt() > 0)
                .map(name -> Arguments.of(Named.of(name, name), expected.get(name)));
    }

    private static ClipIndex index(MemoryBlob blob, JsonNode expected) throws IOException {
        int stream = -1;
        for (JsonNode s : expected.path("streams")) {
            if (stream < 0 && s.get("codec_type").asString().equals("video")) {
                stream = s.get("index").asInt();
            }
        }
        return new ClipIndexer().index(blob, stream);
    }

    @ParameterizedTest
    @MethodSource("clips")
    void indexListsTheFramesThatAnIndependentDecoderShows(String name, JsonNode expected) throws IOException {
        ClipIndex index = index(MemoryBlob.of(SharedData.file(name)), expected);
        assertThat(index.frameCount()).isEqualTo(expected.get("n_frames").asInt());
        assertThat(index.source().rotation())
                .isEqualTo(Math.floorMod(-expected.path("rotation").asInt(), 360));
        assertThat(index.truncated()).isFalse();
        if (expected.get("pts_source").asString().equals("pts")) {
            assertThat(pts(index)).isEqualTo(longs(expected.get("pts_ticks")));
            assertThat(keys(index)).isEqualTo(longs(expected.get("key_frames")));
        } else {
            // AVI without times: the reference guesses from decode order, so only the spacing compares.
            List<Long> ours = pts(index);
            assertThat(ours.get(1) - ours.get(0)).isEqualTo(1);
            assertThat(ours.get(ours.size() - 1) - ours.get(0)).isEqualTo(ours.size() - 1);
        }
        assertThat(ClipIndexFile.decode(ClipIndexFile.encode(index))).isEqualTo(index);
    }

    @ParameterizedTest
    @MethodSource("clips")
    void listedFramesAreBitForBitThoseOfAnIndependentDecoder(String name, JsonNode expected) throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file(name));
        ClipIndex index = index(blob, expected);
        List<Integer> wanted = new ArrayList<>();
        for (String frame : expected.path("native_md5").propertyNames()) {
            // The reference scales frames of another size to that of the first.
            boolean first = expected.path("frame_sizes").size() == 1 || Integer.parseInt(frame) < 59;
            if (first) {
                wanted.add(Integer.parseInt(frame));
            }
        }
        try (FrameDecoder decoder = new FrameDecoder()) {
            int[] frames = wanted.stream().mapToInt(i -> i).sorted().toArray();
            @Nullable String[] hashes = Frames.hashes(decoder, index, blob, new WindowPlan(), frames);
            for (int i = 0; i < frames.length; i++) {
                assertThat(hashes[i])
                        .as("frame %d", frames[i])
                        .isEqualTo(expected.get("native_md5")
                                .get(String.valueOf(frames[i]))
                                .asString());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("clips")
    void everyWayOfDecodingGivesTheSamePixels(String name, JsonNode expected) throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file(name));
        ClipIndex index = index(blob, expected);
        if (index.frameCount() > WHOLE) {
            someWindowsAgree(index, blob);
            return;
        }
        @Nullable String[] whole = Frames.sequential(index, blob);
        assertThat(whole).doesNotContainNull();
        int windows = index.format().width() > 700 ? 3 : 10;
        SplittableRandom random = new SplittableRandom(20_26);
        try (FrameDecoder decoder = new FrameDecoder();
                FrameDecoder other = new FrameDecoder()) {
            for (int i = 0; i < windows; i++) {
                int[] wanted = window(random, index.frameCount());
                assertSame(whole, wanted, Frames.hashes(decoder, index, blob, new WindowPlan(), wanted));
                assertSame(whole, wanted, Frames.hashes(other, Frames.demuxed(index), blob, new WindowPlan(), wanted));
                WindowPlan onward = new WindowPlan().ending(WindowPlan.Ending.CONTINUE);
                assertSame(whole, wanted, Frames.hashes(other, index, blob, onward, wanted));
            }
        }
    }

    private static void someWindowsAgree(ClipIndex index, MemoryBlob blob) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        try (FrameDecoder decoder = new FrameDecoder()) {
            for (int i = 0; i < 3; i++) {
                int[] wanted = window(random, index.frameCount());
                @Nullable
                String[] plain = Frames.hashes(decoder, index, blob, new WindowPlan().dropping(false), wanted);
                assertThat(plain).doesNotContainNull();
                assertThat(Frames.hashes(decoder, Frames.demuxed(index), blob, new WindowPlan(), wanted))
                        .isEqualTo(plain);
            }
        }
    }

    private static void assertSame(@Nullable String[] whole, int[] wanted, @Nullable String[] got) {
        for (int i = 0; i < wanted.length; i++) {
            assertThat(got[i]).as("frame %d", wanted[i]).isEqualTo(whole[wanted[i]]);
        }
    }

    private static int[] window(SplittableRandom random, int frames) {
        int[] wanted = new int[1 + random.nextInt(8)];
        int first = random.nextInt(frames);
        int stride = 1 + random.nextInt(4);
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = Math.min(frames - 1, first + i * stride);
        }
        return wanted;
    }

    private static List<Long> pts(ClipIndex index) {
        List<Long> list = new ArrayList<>();
        for (int i = 0; i < index.frameCount(); i++) {
            list.add(index.ptsOf(i));
        }
        return list;
    }

    private static List<Long> keys(ClipIndex index) {
        List<Long> list = new ArrayList<>();
        for (int i = 0; i < index.frameCount(); i++) {
            if (index.isKey(i)) {
                list.add((long) i);
            }
        }
        return list;
    }

    private static List<Long> longs(JsonNode array) {
        List<Long> list = new ArrayList<>();
        array.forEach(n -> list.add(n.asLong()));
        return list;
    }
}
