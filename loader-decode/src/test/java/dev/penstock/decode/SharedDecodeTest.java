package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of pictures that several rows need are decoded once, and nothing but the work changes by that. */
class SharedDecodeTest {
    private static final View VIEW = View.builder()
            .video("front", Window.frames(4).every(3), Size.of(96, 64))
            .video(VideoColumn.of("small", Window.frames(2).every(5), Size.of(40, 24))
                    .camera("front")
                    .layout(Layout.TCHW)
                    .float32())
            .build();

    @ParameterizedTest
    @ValueSource(strings = {"bottle-detection.mp4", "road_960x540.mp4", "asl_walk.mkv"})
    void groupedAndSinglePiecesGiveTheSameBytes(String name) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        try (VideoSampleSource source =
                (VideoSampleSource) TestData.one(TestData.path("video/" + name)).bind(VIEW)) {
            for (int round = 0; round < 3; round++) {
                long near = random.nextLong(source.size() - 12);
                long[] samples = random.longs(8, 0, source.size()).toArray();
                samples[1] = near;
                samples[4] = near + 5;
                samples[6] = near + 11;
                samples[7] = samples[0];
                source.group(true);
                TestBatch together = TestBatch.of(source, samples);
                source.group(false);
                TestBatch single = TestBatch.of(source, samples);
                assertThat(single.pieces).isEqualTo(16);
                assertThat(together.pieces).isLessThanOrEqualTo(6);
                assertThat(together.failures()).isEmpty();
                assertThat(together.copy("front")).isEqualTo(single.copy("front"));
                assertThat(together.copy("small")).isEqualTo(single.copy("small"));
            }
        }
    }

    @Test
    void aWarmDecoderGivesTheBytesOfAFreshOne() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        try (VideoSampleSource source = (VideoSampleSource) TestData.one(TestData.path("video/bottle-detection.mp4"))
                        .bind(VIEW);
                SampleDecoder decoder = source.newDecoder();
                SampleCollator collator = source.newCollator()) {
            for (int round = 0; round < 4; round++) {
                long[] samples = random.longs(3, 0, source.size()).toArray();
                TestBatch warm = TestBatch.fill(source, decoder, collator, samples);
                assertThat(warm.copy("front"))
                        .isEqualTo(TestBatch.of(source, samples).copy("front"));
            }
        }
    }

    @Test
    void windowsFarApartStayPiecesOfTheirOwn() throws Exception {
        try (VideoSampleSource source = (VideoSampleSource) TestData.one(TestData.path("video/road_960x540.mp4"))
                .bind(View.builder()
                        .video("front", Window.frames(4), Size.of(32, 32))
                        .build())) {
            int[] rows = {0, 1, 2, 3};
            List<? extends DecodeWork> works = source.plan(new long[] {2, 100, 40, 7}, rows, 4);
            assertThat(works).hasSize(3); // GOP 30: 2 and 7 share one
            assertThat(works.get(0).rows()).isEqualTo(2);
            assertThat(List.of(works.get(0).row(0), works.get(0).row(1))).containsExactly(0, 3);
            assertThat(works.get(0).describe()).contains("front").contains("road_960x540.mp4");
            int[] only = {1, 3};
            assertThat(source.plan(new long[] {2, 100, 40, 7}, only, 2)).hasSize(2);
        }
    }

    @Test
    void aBatchOfEightBySixteenFramesAllocatesLittleHeap() throws Exception {
        View view = View.builder()
                .video("front", Window.frames(16), Size.of(32, 32))
                .build();
        try (VideoSampleSource source = (VideoSampleSource)
                        TestData.one(TestData.path("video/car-detection.mp4")).bind(view);
                SampleDecoder decoder = source.newDecoder();
                SampleCollator collator = source.newCollator()) {
            long[] samples = {3, 50, 100, 150, 200, 250, 300, 340};
            int[] rows = IntStream.range(0, 8).toArray();
            TestBatch batch = TestBatch.fill(source, decoder, collator, samples);
            List<ByteBuffer> reads = new ArrayList<>();
            for (DecodeWork work : source.plan(samples, rows, 8)) {
                reads.add(TestBatch.read(work));
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 12; round++) {
                long before =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                List<? extends DecodeWork> works = source.plan(samples, rows, 8);
                for (int i = 0; i < works.size(); i++) {
                    decoder.decode(works.get(i), reads.get(i), batch);
                }
                collator.collate(samples, 8, null, null, batch);
                least = Math.min(
                        least,
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
            }
            System.getLogger("heap").log(System.Logger.Level.INFO, "heap bytes per batch of 8 x 16 frames: " + least);
            assertThat(least).isLessThan(4096);
        }
    }
}
