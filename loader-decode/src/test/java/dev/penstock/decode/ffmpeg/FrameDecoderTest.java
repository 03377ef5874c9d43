package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    @Test
    void windowsOneAfterAnotherContinueInPlaceOfStartingAgain() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/chaplin.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        @Nullable String[] whole = Frames.sequential(index, blob);
        try (FrameDecoder decoder = new FrameDecoder()) {
            WindowPlan plan = new WindowPlan().ending(WindowPlan.Ending.CONTINUE);
            for (int first = 0; first + 16 <= 240; first += 16) {
                int[] wanted = IntStream.range(first, first + 16).toArray();
                @Nullable String[] got = Frames.hashes(decoder, index, blob, plan, wanted);
                for (int i = 0; i < 16; i++) {
                    assertThat(got[i]).as("frame %d", wanted[i]).isEqualTo(whole[wanted[i]]);
                }
            }
            // One key frame in the whole clip: each new start would decode everything before it again.
            assertThat(decoder.packetsDecoded()).isLessThanOrEqualTo(241);
        }
    }

    @Test
    void packetsThatNoWantedFrameNeedsAreLeftOutAndThePixelsAreTheSame() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/asl_walk.mkv"));
        ClipIndex index = new ClipIndexer().index(blob);
        int[] wanted = IntStream.range(0, 16).map(i -> 10 + 4 * i).toArray();
        try (FrameDecoder all = new FrameDecoder();
                FrameDecoder few = new FrameDecoder()) {
            assertThat(Frames.hashes(few, index, blob, new WindowPlan(), wanted))
                    .isEqualTo(Frames.hashes(all, index, blob, new WindowPlan().dropping(false), wanted))
                    .doesNotContainNull();
            assertThat(few.packetsLeftOut()).isPositive();
            assertThat(few.packetsDecoded() + few.packetsLeftOut()).isEqualTo(all.packetsDecoded());
        }
    }

    @Test
    void clipsWithTheSameParametersShareAContextAndTheLimitHolds() throws IOException {
        List<String> names = List.of(
                "datasets/lerobot_v21_made_2cam/videos/chunk-000/observation.images.left/episode_000000.mp4",
                "datasets/lerobot_v21_made_2cam/videos/chunk-000/observation.images.left/episode_000001.mp4",
                "odd/made_h264_open_gop.mp4",
                "odd/hevc_10bit.mp4");
        try (FrameDecoder decoder = new FrameDecoder(DecodeLimits.DEFAULT, 2)) {
            long[] opened = new long[names.size()];
            for (int i = 0; i < names.size(); i++) {
                MemoryBlob blob = MemoryBlob.of(SharedData.file(names.get(i)));
                ClipIndex index = new ClipIndexer().index(blob);
                assertThat(Frames.hashes(decoder, index, blob, new WindowPlan(), 3, 4, 4))
                        .doesNotContainNull();
                opened[i] = decoder.contextsOpened();
            }
            assertThat(opened).containsExactly(1, 1, 2, 3);
        }
    }

    @Test
    void aWindowAllocatesAFewHundredBytesOfHeap() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/bottle-detection.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int[] wanted = new int[16];
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
        int[] widths = new int[1];
        FrameSink sink = (ordinal, frame) -> widths[0] = frame.width();
        WindowPlan plan = new WindowPlan();
        try (FrameDecoder decoder = new FrameDecoder()) {
            long before = 0;
            int windows = 60;
            for (int w = -20; w < windows; w++) {
                if (w == 0) {
                    before = threads.getThreadAllocatedBytes(thread);
                }
                for (int i = 0; i < 16; i++) {
                    wanted[i] = 251 + (w + 20) * 2 % 100 + i;
                }
                plan.plan(index, wanted, 0, 16);
                decoder.decode(index, plan, plan.read(blob, bytes), blob, sink);
            }
            long perWindow = (threads.getThreadAllocatedBytes(thread) - before) / windows;
            assertThat(perWindow).isLessThan(500);
        }
        assertThat(widths[0]).isEqualTo(640);
    }

    @Test
    void mp4IsIndexedFromItsHeadersAndFirstKeyFrame() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("video/road_960x540.mp4"));
        assertThat(blob.size()).isGreaterThan(2_500_000);
        new ClipIndexer().index(blob);
        assertThat(blob.bytesRead()).isLessThan(300_000);
    }

    @Test
    void failureOfTheSinkLeavesTheDecoderUsable() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("odd/made_h264_open_gop.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        WindowPlan plan = new WindowPlan().plan(index, new int[] {3, 4, 5}, 0, 3);
        try (FrameDecoder decoder = new FrameDecoder()) {
            @Nullable String[] good = Frames.hashes(decoder, index, blob, new WindowPlan(), 3, 4, 5);
            assertThatThrownBy(() -> decoder.decode(index, plan, Frames.read(blob, plan), blob, (i, f) -> {
                        throw new IOException("the slot is gone");
                    }))
                    .hasMessage("the slot is gone");
            assertThat(Frames.hashes(decoder, index, blob, new WindowPlan(), 3, 4, 5))
                    .isEqualTo(good);
        }
    }

    @Test
    void closedDecoderSaysSo() throws IOException {
        MemoryBlob blob = MemoryBlob.of(SharedData.file("odd/one_frame.mp4"));
        ClipIndex index = new ClipIndexer().index(blob);
        WindowPlan plan = new WindowPlan().plan(index, new int[] {0}, 0, 1);
        FrameDecoder decoder = new FrameDecoder();
        decoder.close();
        decoder.close();
        assertThatThrownBy(() -> decoder.decode(index, plan, Frames.read(blob, plan), blob, (i, f) -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    /** FFmpeg opens codecs under a lock of the whole process: no read may happen while it is held. */
    @ParameterizedTest
    @ValueSource(strings = {"odd/made_h264_open_gop.mp4", "odd/h264_start_1s4.ts"})
    void aClipWhoseReadsHangHoldsUpNoOtherClip(String file) throws Exception {
        MemoryBlob quick = MemoryBlob.of(SharedData.file(file));
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Blob slow = new HangingBlob(MemoryBlob.of(SharedData.file(file)), hangs, goesOn);
        CompletableFuture<@Nullable String[]> slowly = new CompletableFuture<>();
        Thread other = new Thread(() -> {
            try (FrameDecoder decoder = new FrameDecoder()) {
                ClipIndex index = Frames.demuxed(new ClipIndexer().index(slow));
                slowly.complete(Frames.hashes(decoder, index, slow, new WindowPlan(), 3, 9));
            } catch (Exception | Error e) {
                slowly.completeExceptionally(e);
            }
        });
        other.start();
        assertThat(hangs.await(30, TimeUnit.SECONDS))
                .as("the slow clip is being read; %s", slowly)
                .isTrue();
        @Nullable String[] quickly;
        try (FrameDecoder decoder = new FrameDecoder()) {
            ClipIndex index = Frames.demuxed(new ClipIndexer().index(quick));
            quickly = Frames.hashes(decoder, index, quick, new WindowPlan(), 3, 9);
        }
        assertThat(slowly).isNotDone();
        goesOn.countDown();
        assertThat(slowly.get(30, TimeUnit.SECONDS)).isEqualTo(quickly).doesNotContainNull();
        other.join();
    }

    /** Says when it is first read, and gives nothing until it may. */
    private record HangingBlob(MemoryBlob bytes, CountDownLatch hangs, CountDownLatch goesOn) implements Blob {
        @Override
        public URI uri() {
            return bytes.uri();
        }

        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public String identity() {
            return bytes.identity();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            hangs.countDown();
            try {
                if (!goesOn.await(30, TimeUnit.SECONDS)) {
                    throw new IOException("the other clip was held up");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            bytes.read(offset, target);
        }
    }
}
