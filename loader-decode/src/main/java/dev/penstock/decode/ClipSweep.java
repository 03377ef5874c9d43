package dev.penstock.decode;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.decode.ffmpeg.DisplayShape;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.decode.ffmpeg.Scratch;
import dev.penstock.decode.ffmpeg.SlotDecoder;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Size;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One camera of an episode, read in order: each packet is decoded once, each frame scaled once. Frames are numbered from
 * the episode's first. Times are ticks of the container, exactly as it has them. One thread at a time.
 */
public final class ClipSweep {
    /** Frames that are decoded together: enough to read in large pieces, few enough to bound memory. */
    private static final int CHUNK = 16;

    private static final long CHUNK_BYTES = 32L << 20;

    private final String episode;
    private final String camera;
    private final CameraClip clip;
    private final DecodeLimits limits;

    ClipSweep(String episode, String camera, CameraClip clip, DecodeLimits limits) {
        this.episode = episode;
        this.camera = camera;
        this.clip = clip;
        this.limits = limits;
    }

    /** Takes frames in order, on the caller's thread. */
    @FunctionalInterface
    public interface Taker {
        /**
         * One frame.
         *
         * @param frame its number
         * @param pixels direct, native order; valid during the call
         * @param offset the byte where the frame's pixels start
         */
        void frame(int frame, ByteBuffer pixels, int offset) throws IOException;
    }

    /** Number of frames. */
    public int frames() {
        return clip.frames();
    }

    /** When a frame appears, in ticks of the container's time base. */
    public long pts(int frame) {
        return clip.index().ptsOf(clip.first() + frame);
    }

    /** When the last frame's time ends, in ticks. */
    public long endTicks() {
        ClipIndex index = clip.index();
        return clip.end() < index.frameCount() ? index.ptsOf(clip.end()) : index.endTicks();
    }

    /** Seconds a tick, numerator. */
    public int timeBaseNumerator() {
        return clip.index().source().timeBaseNumerator();
    }

    /** Seconds a tick, denominator. */
    public int timeBaseDenominator() {
        return clip.index().source().timeBaseDenominator();
    }

    /** Seconds of the container at which the episode's clock is 0; null: the container's clock is the episode's. */
    public @Nullable Double origin() {
        return clip.clip().from();
    }

    /** What the clip is made of. */
    public ClipIndex index() {
        return clip.index();
    }

    /** The size at which the picture itself is shown by a transform; smaller than its target in a letterbox. */
    public Size shown(PictureTransform transform) {
        return transform.shown(
                clip.index().format().width(), clip.index().format().height(), shape());
    }

    private DisplayShape shape() {
        return clip.file().shape();
    }

    /** Off-heap bytes that a {@link #read} takes at most, an estimate from above. */
    public long memory(PictureTransform transform) {
        ClipIndex index = clip.index();
        long packets = 0;
        if (index.access() == ClipIndex.Access.DEMUX) {
            packets = 2 * index.source().blobSize();
        } else {
            int run = CHUNK + 2 * index.reorderDepth();
            long sum = 0;
            for (int p = 0; p < index.packets().count(); p++) {
                sum += index.packets().size(p) - (p < run ? 0 : index.packets().size(p - run));
                packets = Math.max(packets, sum);
            }
        }
        return DecoderScratch.of(List.of(clip.file())) + 2 * packets + (long) chunk(transform) * transform.bytes();
    }

    private static int chunk(PictureTransform transform) {
        return (int) Math.max(1, Math.min(CHUNK, CHUNK_BYTES / transform.bytes()));
    }

    /** Reads all frames. */
    public void read(PictureTransform transform, Taker taker) throws IOException {
        read(transform, IntStream.range(0, frames()).toArray(), taker);
    }

    /** Reads some frames, ascending; see {@link Reader#read}. */
    public void read(PictureTransform transform, int[] frames, Taker taker) throws IOException {
        try (Reader reader = reader()) {
            reader.read(transform, frames, taker);
        }
    }

    /** A reader that keeps its decoder and memory from call to call. */
    public Reader reader() {
        return new Reader();
    }

    /** Reads frames of the clip. Owned by one thread; {@link #close} frees its native memory. */
    public final class Reader implements AutoCloseable {
        private final SlotDecoder decoder = new SlotDecoder(limits);
        private final Scratch packets = new Scratch();
        private final Scratch memory = new Scratch();
        private final WindowPlan plan = new WindowPlan();

        private Reader() {}

        /**
         * Reads some frames; goes on from where the decoder stands if that is nearer than a key frame.
         *
         * @param frames ascending
         * @throws DatasetException when a frame can't be had; the message says episode, camera, frame and why
         * @throws InterruptedIOException when the thread was interrupted
         */
        public void read(PictureTransform transform, int[] frames, Taker taker) throws IOException {
            int[] numbers = IntStream.of(frames).map(f -> clip.first() + f).toArray();
            int chunk = chunk(transform);
            ByteBuffer pixels = memory.atLeast((long) Math.max(1, Math.min(chunk, frames.length)) * transform.bytes())
                    .bytes();
            try {
                for (int at = 0; at < numbers.length; at += chunk) {
                    if (Thread.interrupted()) {
                        throw new InterruptedIOException("interrupted while " + clip + " was read");
                    }
                    int count = Math.min(chunk, numbers.length - at);
                    boolean more = at + count < numbers.length;
                    decode(transform, numbers, at, count, more, pixels);
                    for (int i = 0; i < count; i++) {
                        taker.frame(frames[at + i], pixels, i * transform.bytes());
                    }
                }
            } catch (ClipException e) {
                throw failure(e.frame(), e);
            } catch (IllegalArgumentException e) {
                throw failure(-1, e);
            }
        }

        private void decode(
                PictureTransform transform, int[] numbers, int at, int count, boolean more, ByteBuffer pixels)
                throws IOException {
            ClipIndex index = clip.index();
            plan.ending(more ? WindowPlan.Ending.CONTINUE : WindowPlan.Ending.DRAIN);
            plan.planFrom(index, numbers, at, count, decoder.resumePacket(index));
            decoder.decode(
                    index,
                    plan,
                    bytesOf(plan, packets),
                    clip.file().blob(),
                    shape(),
                    (ordinal, picture) -> picture.writeTo(transform, pixels, ordinal * transform.bytes()));
        }

        @Override
        public void close() {
            decoder.close();
            packets.close();
            memory.close();
        }
    }

    private DatasetException failure(int frame, Exception cause) {
        String where =
                frame < 0 ? "" : String.format(Locale.ROOT, ", frame %d at %.3f s", frame, clip.secondsOf(frame));
        String message = String.valueOf(cause.getMessage());
        String file = message.contains(clip.clip().uri().toString())
                ? ""
                : " of " + Addresses.readable(clip.clip().uri());
        return new DatasetException(
                "episode '" + episode + "', camera '" + camera + "'" + where + file + ": " + message, cause);
    }

    /** The plan's bytes. A clip that is demuxed is read once. */
    private ByteBuffer bytesOf(WindowPlan plan, Scratch packets) throws IOException {
        boolean demuxed = clip.index().access() == ClipIndex.Access.DEMUX;
        if (demuxed && packets.bytes().capacity() > 0) {
            return packets.bytes().rewind();
        }
        if (plan.byteCount() > limits.maxWindowBytes()) {
            throw new ClipException(
                    ClipException.Kind.LIMIT,
                    clip.index().uri(),
                    CHUNK + " frames of it need " + plan.byteCount() + " bytes; the limit is "
                            + limits.maxWindowBytes());
        }
        return plan.read(
                clip.file().blob(),
                packets.atLeast(Math.max(1, plan.byteCount())).bytes());
    }
}
