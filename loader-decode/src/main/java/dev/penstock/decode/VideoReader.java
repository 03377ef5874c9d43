package dev.penstock.decode;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.IndexCache;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.decode.ffmpeg.PictureDecoder;
import dev.penstock.decode.ffmpeg.PictureDecoder.Pixels;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.view.Size;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Random access to a clip's frames: exactly the frame asked for, or an exception; never a neighbour.
 *
 * <pre>{@code
 * try (VideoReader reader = VideoReader.open(Path.of("drive.mp4"))) {
 *     for (VideoFrame frame : reader.frames(0, 250, 17)) {          // in the order asked for
 *         use(frame.seconds(), frame.pixels());                     // [height, width, 3], R G B
 *     }
 * }
 * }</pre>
 *
 * <p>Frames come at their own size, as they are coded (see {@link Builder#rotate}). They are decoded a few at a time
 * while the result is iterated, so a long range needs little memory. A new call, or a second iteration, may begin
 * before another has ended.
 *
 * <p>Not thread-safe: one thread at a time, and the frames' {@link VideoFrame#close} counts. {@link #close} frees
 * native memory and, where the reader opened it, the blob; frames already returned stay valid.
 */
public final class VideoReader implements AutoCloseable {
    private final Blob blob;
    private final boolean ownsBlob;
    private final ClipIndex index;
    private final PictureDecoder decoder;
    private final FrameBuffers buffers = new FrameBuffers();
    private boolean closed;

    private VideoReader(Builder settings, Blob blob, boolean ownsBlob) throws IOException {
        this.blob = blob;
        this.ownsBlob = ownsBlob;
        this.index = new ClipIndexer(settings.limits, settings.cache).index(blob, settings.stream);
        this.decoder = new PictureDecoder(settings.limits, settings.pixels, settings.rotate, settings.size);
    }

    /** Opens a local file. */
    public static VideoReader open(Path file) throws IOException {
        return builder(file.toAbsolutePath().toUri()).open();
    }

    /** Opens what a blob store on the class path reads. */
    public static VideoReader open(URI uri) throws IOException {
        return builder(uri).open();
    }

    /** Opens a blob; closing it remains the caller's. */
    public static VideoReader open(Blob blob) throws IOException {
        return builder(blob).open();
    }

    /** Settings for a reader of this address. */
    public static Builder builder(URI uri) {
        return new Builder(uri, null);
    }

    /** Settings for a reader of this blob. */
    public static Builder builder(Blob blob) {
        return new Builder(null, blob);
    }

    /** The clip's index: frame count, times, key frames, look-up by time. */
    public ClipIndex index() {
        return index;
    }

    /** Number of frames. */
    public int frameCount() {
        return index.frameCount();
    }

    /**
     * Frames by number, in the order asked for; a number may come twice.
     *
     * @throws IndexOutOfBoundsException where the clip has no such frame
     */
    public VideoFrames frames(int... indices) {
        for (int i : indices) {
            Objects.checkIndex(i, index.frameCount());
        }
        return new VideoFrames(this, indices.clone());
    }

    /**
     * The frames on screen at these times, in the order asked for.
     *
     * @param seconds the container's time, which need not begin at 0: see {@link ClipIndex#startSeconds}
     * @throws ClipException where nothing is on screen: before the first frame, or after the last has ended
     */
    public VideoFrames framesAt(double... seconds) throws ClipException {
        int[] indices = new int[seconds.length];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = index.frameAt(seconds[i]);
            if (indices[i] < 0) {
                throw new ClipException(
                        ClipException.Kind.OUT_OF_RANGE,
                        index.uri(),
                        -1,
                        seconds[i],
                        -1,
                        "no frame is on screen then; the clip lasts from " + index.startSeconds() + " to "
                                + index.endSeconds() + " s",
                        null);
            }
        }
        return new VideoFrames(this, indices);
    }

    /**
     * Every {@code step}-th frame from {@code from} up to, not including, {@code to}.
     *
     * @throws IndexOutOfBoundsException where the range passes the clip's frames
     * @throws IllegalArgumentException for a step below 1
     */
    public VideoFrames range(int from, int to, int step) {
        if (step < 1) {
            throw new IllegalArgumentException("step was " + step + ", must be at least 1");
        }
        Objects.checkFromToIndex(from, to, index.frameCount());
        int[] indices = new int[(to - from + step - 1) / step];
        Arrays.setAll(indices, i -> from + i * step);
        return new VideoFrames(this, indices);
    }

    /** All frames in order. */
    public VideoFrames all() {
        return range(0, frameCount(), 1);
    }

    Blob blob() {
        return blob;
    }

    PictureDecoder decoder() {
        if (closed) {
            throw new IllegalStateException("the reader of " + index.uri() + " is closed");
        }
        return decoder;
    }

    FrameBuffers buffers() {
        return buffers;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            decoder.close();
            if (ownsBlob) {
                blob.close();
            }
        }
    }

    /** Settings of a reader. */
    public static final class Builder {
        private final @Nullable URI uri;
        private final @Nullable Blob blob;
        private int stream = IndexCache.BEST_STREAM;
        private DecodeLimits limits = DecodeLimits.DEFAULT;
        private @Nullable IndexCache cache;
        private Pixels pixels = Pixels.RGB24;
        private boolean rotate;

        private @Nullable Size size;

        private Builder(@Nullable URI uri, @Nullable Blob blob) {
            this.uri = uri;
            this.blob = blob;
        }

        /** The container's stream to read; FFmpeg's best one unless set. */
        public Builder stream(int number) {
            stream = number;
            return this;
        }

        /** Limits; {@link DecodeLimits#DEFAULT} unless set. */
        public Builder limits(DecodeLimits value) {
            limits = value;
            return this;
        }

        /** Where the clip's index is kept; nowhere unless set. */
        public Builder cache(IndexCache value) {
            cache = value;
            return this;
        }

        /** RGB, or the decoder's own planes as they are. */
        public Builder pixels(Pixels value) {
            pixels = value;
            return this;
        }

        /** Whether RGB frames are turned and mirrored as the clip says; not unless set. */
        public Builder rotate(boolean value) {
            rotate = value;
            return this;
        }

        /** Scales RGB frames to this size; their own unless set. */
        public Builder size(Size value) {
            this.size = value;
            return this;
        }

        /** Opens the clip and reads its index. */
        public VideoReader open() throws IOException {
            if (blob != null) {
                return new VideoReader(this, blob, false);
            }
            URI where = Objects.requireNonNull(uri);
            Blob opened = BlobStores.of(where).open(where);
            try {
                return new VideoReader(this, opened, true);
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
        }
    }
}
