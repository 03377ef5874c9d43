package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.WindowPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts the windows of a batch into pieces of decoding. Windows of one clip that need the same group of pictures become
 * one piece, so that it is decoded once, as long as the piece reads no more than the source's largest read; all others
 * are pieces of their own, which can be decoded at the same time. Windows of a clip that must be demuxed from memory
 * are one piece always, so that the clip is read once.
 *
 * <p>Owned by one task at a time. Besides the pieces themselves it allocates nothing after the first calls.
 */
final class WorkPlanner {
    /** Sorting keys: the file's number, then the first packet, then which window it is. */
    private static final int WINDOW_BITS = 20;

    private static final int PACKET_BITS = 22;
    private static final long SHARED_READ = 16L << 20;

    private final SampleLocator locator;
    private final String[] cameras;
    private final boolean grouping;
    private final long largestRead;
    private final int longestWindow;
    private final WindowPlan plan = new WindowPlan();

    // the batch's windows, sorted through keys
    private long[] keys = new long[16];
    private long[] places = new long[16];
    private long[] samples = new long[16];
    private CameraClip[] clips = new CameraClip[16];
    private int[] firstPackets = new int[16];
    private int[] lastPackets = new int[16];
    private int[] frames = new int[0];
    private int windows;

    // the piece that is being put together
    private int[] merged = new int[64];
    private int[] order = new int[16];

    /** @param grouping whether windows that share a group of pictures are decoded together */
    WorkPlanner(SampleLocator locator, String[] cameras, int longestWindow, long largestRead, boolean grouping) {
        this.locator = locator;
        this.cameras = cameras;
        this.longestWindow = longestWindow;
        this.largestRead = largestRead;
        this.grouping = grouping;
    }

    /** How much a piece of several windows may read: enough for a few groups of pictures, and no more than a clip. */
    static long sharedRead(List<ClipFile> files) {
        long largest = 0;
        for (ClipFile file : files) {
            largest = Math.max(largest, file.blob().size());
        }
        return Math.min(largest, SHARED_READ);
    }

    boolean isGrouping() {
        return grouping;
    }

    /** Plans rows {@code rows[0..count)} of a batch. */
    List<ClipWork> plan(long[] batch, int[] rows, int count) {
        collect(batch, rows, count);
        Arrays.sort(keys, 0, windows);
        List<ClipWork> works = new ArrayList<>(windows);
        int from = 0;
        while (from < windows) {
            int to = endOfPiece(from);
            works.add(piece(from, to));
            from = to;
        }
        Arrays.fill(clips, 0, windows, null); // a planner outlives its batch; it must not keep closed clips alive
        return works;
    }

    private void collect(long[] batch, int[] rows, int count) {
        windows = 0;
        reserve(count * cameras.length);
        for (int i = 0; i < count; i++) {
            locator.seek(batch[rows[i]]);
            for (int column = 0; column < cameras.length; column++) {
                int w = windows++;
                clips[w] = locator.clip(column);
                places[w] = ClipWork.place(rows[i], column);
                samples[w] = batch[rows[i]];
                int length = locator.frames(column, frames);
                spanPackets(w, clips[w].index(), length);
                keys[w] =
                        ((long) clips[w].file().number() << PACKET_BITS | (firstPackets[w] & ((1 << PACKET_BITS) - 1)))
                                        << WINDOW_BITS
                                | w;
            }
        }
    }

    private void spanPackets(int w, ClipIndex index, int length) {
        firstPackets[w] = index.entryOf(frames[0]);
        int last = 0;
        for (int i = 0; i < length; i++) {
            last = Math.max(last, index.lastPacketOf(frames[i]));
        }
        lastPackets[w] = last;
    }

    private int window(int sorted) {
        return (int) keys[sorted] & ((1 << WINDOW_BITS) - 1);
    }

    /** One past the last of the sorted windows that join the one at {@code from}. */
    private int endOfPiece(int from) {
        ClipFile file = clips[window(from)].file();
        ClipIndex index = file.index();
        boolean whole = index.access() == ClipIndex.Access.DEMUX;
        int first = firstPackets[window(from)];
        int last = lastPackets[window(from)];
        int to = from + 1;
        while (to < windows && grouping && clips[window(to)].file() == file) {
            int next = window(to);
            if (!whole && firstPackets[next] > last) {
                break;
            }
            last = Math.max(last, lastPackets[next]);
            if (!whole && file.span(first, last) > largestRead && bytes(index, from, to + 1) > largestRead) {
                break;
            }
            to++;
        }
        return to;
    }

    private long bytes(ClipIndex index, int from, int to) {
        return plan(index, from, to).byteCount();
    }

    private WindowPlan plan(ClipIndex index, int from, int to) {
        int count = merge(from, to); // first: it may replace the array
        return plan.plan(index, merged, 0, count);
    }

    private ClipWork piece(int from, int to) {
        int size = to - from;
        for (int i = 0; i < size; i++) {
            order[i] = window(from + i);
        }
        Arrays.sort(order, 0, size); // by row, then column, as collected
        CameraClip clip = clips[order[0]];
        plan(clip.index(), from, to);
        long[] pieces = new long[size];
        long[] ids = new long[size];
        int distinct = 0;
        for (int i = 0; i < size; i++) {
            pieces[i] = places[order[i]];
            ids[i] = samples[order[i]];
            distinct += i == 0 || pieces[i] >>> 32 != pieces[i - 1] >>> 32 ? 1 : 0;
        }
        int[] rows = new int[distinct];
        int row = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || pieces[i] >>> 32 != pieces[i - 1] >>> 32) {
                rows[row++] = (int) (pieces[i] >>> 32);
            }
        }
        return new ClipWork(clip, cameras[(int) pieces[0]], rows, pieces, ids, ranges(), plan.neededBytes());
    }

    private long[] ranges() {
        long[] ranges = new long[2 * plan.rangeCount()];
        for (int i = 0; i < plan.rangeCount(); i++) {
            ranges[2 * i] = plan.rangeOffset(i);
            ranges[2 * i + 1] = plan.rangeLength(i);
        }
        return ranges;
    }

    /** The frames of sorted windows, ascending, each once, in {@code merged}; returns how many. */
    private int merge(int from, int to) {
        int needed = (to - from) * longestWindow;
        if (merged.length < needed) {
            merged = new int[Math.max(needed, merged.length * 2)];
        }
        int count = 0;
        for (int s = from; s < to; s++) {
            int w = window(s);
            int length = locator.seek(samples[w]).frames((int) places[w], frames);
            System.arraycopy(frames, 0, merged, count, length);
            count += length;
        }
        return Frames.sortUnique(merged, count);
    }

    private void reserve(int count) {
        if (frames.length == 0) {
            frames = new int[longestWindow];
        }
        if (count >= 1 << WINDOW_BITS) {
            throw new IllegalArgumentException(
                    "a batch of " + count + " windows was planned, must be below " + (1 << WINDOW_BITS));
        }
        if (keys.length < count) {
            int size = Math.max(count, keys.length * 2);
            keys = new long[size];
            places = new long[size];
            samples = new long[size];
            clips = new CameraClip[size];
            firstPackets = new int[size];
            lastPackets = new int[size];
            order = new int[size];
        }
    }
}
