package dev.penstock.decode;

import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.decode.ffmpeg.SlotDecoder.Picture;
import dev.penstock.decode.ffmpeg.SlotDecoder.PictureSink;
import dev.penstock.spi.BatchTarget;
import dev.penstock.view.VideoColumn;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes each decoded frame into every slot of a batch that wants it: scaled straight into the first slot of a column,
 * copied from there into the others of that column.
 *
 * <p>One thread. After the first batches it allocates nothing.
 */
final class FrameScatter implements PictureSink {
    private final SampleLocator locator;
    private final TensorPlaces places;
    private final PictureTransform[] transforms;
    private final int longest;
    private final int[] window;

    /** The frames of window {@code w} start at {@code w * longest}. */
    private int[] frames = new int[0];
    /** The work's frames, ascending, each once. */
    private int[] wanted = new int[0];

    private int wantedCount;
    /** By column, for the frame at hand: where it was written first, or -1. */
    private final int[] written;

    private @Nullable ClipWork work;
    private @Nullable BatchTarget target;

    FrameScatter(List<VideoColumn> videos, SampleLocator locator, TensorPlaces places) {
        this.locator = locator;
        this.places = places;
        this.transforms = videos.stream().map(PictureTransform::of).toArray(PictureTransform[]::new);
        this.longest = places.longestWindow();
        this.window = new int[longest];
        this.written = new int[videos.size()];
    }

    /** Finds the work's frames. Rows that have failed keep theirs, because the work's bytes were planned with them. */
    void begin(ClipWork newWork, BatchTarget newTarget) {
        int windows = newWork.windows();
        if (frames.length < windows * longest) {
            frames = new int[windows * longest];
            wanted = new int[windows * longest];
        }
        int count = 0;
        for (int w = 0; w < windows; w++) {
            int length = locator.seek(newWork.sampleOf(w)).frames(newWork.columnOf(w), window);
            System.arraycopy(window, 0, frames, w * longest, length);
            System.arraycopy(window, 0, wanted, count, length);
            count += length;
        }
        wantedCount = Frames.sortUnique(wanted, count);
        work = newWork;
        target = newTarget;
    }

    /** Lets go of the batch. */
    void end() {
        work = null;
        target = null;
    }

    /** The work's frames; the first {@link #wantedCount()} count. */
    int[] wanted() {
        return wanted;
    }

    int wantedCount() {
        return wantedCount;
    }

    /** Whether window {@code w} takes a frame. */
    boolean wants(int w, int frame) {
        ClipWork at = work;
        int length = at == null ? 0 : places.length(at.columnOf(w));
        for (int i = 0; i < length; i++) {
            if (frames[w * longest + i] == frame) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void picture(int ordinal, Picture picture) {
        ClipWork at = work;
        BatchTarget batch = target;
        if (at == null || batch == null) {
            return;
        }
        Arrays.fill(written, -1);
        for (int w = 0; w < at.windows(); w++) {
            if (!batch.hasFailed(at.rowOf(w))) {
                write(at, w, wanted[ordinal], picture, batch);
            }
        }
    }

    private void write(ClipWork at, int w, int frame, Picture picture, BatchTarget batch) {
        int column = at.columnOf(w);
        ByteBuffer pixels = batch.dense(places.pixels(column));
        int length = places.length(column);
        for (int i = 0; i < length; i++) {
            if (frames[w * longest + i] != frame) {
                continue;
            }
            int offset = places.offset(column, at.rowOf(w), i);
            if (written[column] < 0) {
                picture.writeTo(transforms[column], pixels, offset);
                written[column] = offset;
            } else {
                pixels.put(offset, pixels, written[column], places.frameBytes(column));
            }
        }
    }
}
