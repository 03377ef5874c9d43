package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.decode.ffmpeg.PictureSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one request, decoded while they are iterated. An iterator throws {@link UncheckedIOException}, whose
 * cause is a {@code ClipException} that names the frame, where one cannot be had; it may be asked on afterwards and
 * goes on with the frame after that one. Owned by the reader's thread; nothing needs closing when iteration is left
 * early.
 */
public final class VideoFrames implements Iterable<VideoFrame> {
    /** Frames that are decoded together: enough to share a group of pictures, few enough to bound memory. */
    private static final int CHUNK = 16;

    private static final long CHUNK_BYTES = 64L << 20;

    private final VideoReader reader;
    private final int[] indices;

    VideoFrames(VideoReader reader, int[] indices) {
        this.reader = reader;
        this.indices = indices;
    }

    /** Number of frames asked for. */
    public int size() {
        return indices.length;
    }

    /** The frame numbers asked for, in order. */
    public int[] indices() {
        return indices.clone();
    }

    /** All frames at once; each holds its own memory. */
    public List<VideoFrame> toList() {
        List<VideoFrame> list = new ArrayList<>(indices.length);
        forEach(list::add);
        return list;
    }

    @Override
    public Iterator<VideoFrame> iterator() {
        return new Chunks();
    }

    private int chunkFrames() {
        ClipIndex index = reader.index();
        long frameBytes =
                Math.max(1, 3L * index.format().width() * index.format().height());
        return (int) Math.max(1, Math.min(CHUNK, CHUNK_BYTES / frameBytes));
    }

    private final class Chunks implements Iterator<VideoFrame>, PictureSink {
        private final int most = chunkFrames();
        private final WindowPlan plan = new WindowPlan();
        private final @Nullable VideoFrame[] ready = new VideoFrame[most];
        private int[] sorted = new int[0];
        /** Position of {@code ready[0]} among the frames asked for. */
        private int start;

        private int count;
        private int next;
        private @Nullable IOException failure;

        @Override
        public boolean hasNext() {
            return next < indices.length;
        }

        @Override
        public VideoFrame next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            if (next >= start + count) {
                decodeChunk();
            }
            VideoFrame frame = ready[next - start];
            ready[next - start] = null;
            next++;
            if (frame == null) {
                throw new UncheckedIOException(
                        failure != null ? failure : new IOException("frame " + indices[next - 1] + " is missing"));
            }
            return frame;
        }

        private void decodeChunk() {
            start = next;
            count = Math.min(most, indices.length - start);
            Arrays.fill(ready, null);
            failure = null;
            sorted = Arrays.copyOfRange(indices, start, start + count);
            Arrays.sort(sorted);
            ClipIndex index = reader.index();
            boolean more = start + count < indices.length && indices[start + count] >= sorted[count - 1];
            plan.ending(more ? WindowPlan.Ending.CONTINUE : WindowPlan.Ending.DRAIN);
            plan.planFrom(index, sorted, 0, count, reader.decoder().resumePacket(index));
            try {
                reader.decoder().decode(index, plan, reader.blob(), this);
            } catch (IOException e) {
                failure = e;
            }
        }

        @Override
        public ByteBuffer target(int bytes) {
            return reader.buffers().take(bytes);
        }

        @Override
        public void picture(int ordinal, int width, int height, String pixelFormat, ByteBuffer pixels) {
            int frame = sorted[ordinal];
            ClipIndex index = reader.index();
            VideoFrame picture = new VideoFrame(
                    frame,
                    index.ptsOf(frame),
                    index.secondsOf(frame),
                    index.isKey(frame),
                    width,
                    height,
                    pixelFormat,
                    pixels,
                    reader.buffers());
            // The ordinal-th in order is the slot of that number that is still empty: equal numbers come one by one.
            for (int i = 0; i < count; i++) {
                if (indices[start + i] == frame && ready[i] == null) {
                    ready[i] = picture;
                    return;
                }
            }
        }
    }
}
