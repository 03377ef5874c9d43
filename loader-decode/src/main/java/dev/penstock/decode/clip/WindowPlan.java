package dev.penstock.decode.clip;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What one window of frames needs: runs of packets to decode, and the byte ranges that hold them.
 *
 * <p>A plan is a reusable object: {@link #plan} refills it, and after the first few calls it allocates nothing. It is
 * owned by one task at a time and is not thread-safe; hand-over between threads needs a happens-before edge.
 *
 * <p>The bytes that a decoder gets are the plan's ranges, one after another, in the order of {@link #rangeOffset}.
 */
public final class WindowPlan {
    /** Gap between two packets' bytes up to which both are read with one range: 64 KiB. */
    public static final int DEFAULT_GAP = 64 << 10;

    /** What the decoder does once the last wanted packet is in. */
    public enum Ending {
        /** Drain it: no packet more than needed is decoded, but the next call starts from a key again. */
        DRAIN,
        /**
         * Decode on by twice the reorder depth, until the last wanted frame and all before it are out, so that a later
         * call may continue from here: for reading in sequence.
         */
        CONTINUE
    }

    private final int gapLimit;
    private Ending ending = Ending.DRAIN;
    private boolean dropping = true;
    private int resumeAt = -1;
    private int[] wanted = new int[16];
    private int wantedCount;
    private int[] segments = new int[8];
    private int segmentCount;
    private long[] ranges = new long[8];
    private int[] rangeStarts = new int[4];
    private int rangeCount;
    private long byteCount;
    private long neededBytes;
    private int cursor;

    /** A plan that joins ranges over gaps of up to {@link #DEFAULT_GAP}. */
    public WindowPlan() {
        this(DEFAULT_GAP);
    }

    /** A plan that joins ranges over gaps of up to {@code gapLimit} bytes. */
    public WindowPlan(int gapLimit) {
        if (gapLimit < 0) {
            throw new IllegalArgumentException("gapLimit was " + gapLimit + ", must be at least 0");
        }
        this.gapLimit = gapLimit;
    }

    /** How the decoder ends; kept until set again. {@link Ending#DRAIN} at first. */
    public WindowPlan ending(Ending value) {
        ending = value;
        return this;
    }

    /** Whether packets that no wanted frame depends on are left out; true at first. The pixels are the same. */
    public WindowPlan dropping(boolean value) {
        dropping = value;
        return this;
    }

    /** Plans {@code frames[from, from + count)}, ascending, equal numbers allowed. Returns this. */
    public WindowPlan plan(ClipIndex index, int[] frames, int from, int count) {
        return planFrom(index, frames, from, count, -1);
    }

    /**
     * Plans for a decoder that stands at packet {@code resume} of this clip (see {@code FrameDecoder.resumePacket}),
     * so that bytes before it need not be read again; -1 for a decoder that stands nowhere.
     */
    public WindowPlan planFrom(ClipIndex index, int[] frames, int from, int count, int resume) {
        setWanted(index, frames, from, count);
        segmentCount = 0;
        resumeAt = -1;
        for (int i = 0; i < count; i++) {
            if (i == 0 || wanted[i] != wanted[i - 1]) {
                cover(index.entryOf(wanted[i]), index.lastPacketOf(wanted[i]));
            }
        }
        finish(index, resume);
        return this;
    }

    /** Plans the same frames again, each run entered at least one key frame earlier. For a second attempt. */
    public WindowPlan earlier(ClipIndex index, boolean fromTheBeginning) {
        int last = segmentCount == 0 ? 0 : segments[2 * segmentCount - 1];
        int first = fromTheBeginning || segmentCount == 0 ? 0 : index.entryBefore(segments[0]);
        segmentCount = 0;
        resumeAt = -1;
        cover(first, last);
        layRanges(index);
        return this;
    }

    private void setWanted(ClipIndex index, int[] frames, int from, int count) {
        if (wanted.length < count) {
            wanted = new int[count];
        }
        wantedCount = count;
        for (int i = 0; i < count; i++) {
            int frame = frames[from + i];
            if (frame < 0 || frame >= index.frameCount()) {
                throw new IndexOutOfBoundsException(
                        "frame " + frame + " of " + index.uri() + ", which has " + index.frameCount() + " frames");
            }
            if (i > 0 && frame < wanted[i - 1]) {
                throw new IllegalArgumentException(
                        "wanted frames must ascend, yet " + frame + " follows " + wanted[i - 1]);
            }
            wanted[i] = frame;
        }
    }

    /** Adds packets first..last, joined with the run before where they touch. */
    private void cover(int first, int last) {
        if (segmentCount > 0 && first <= segments[2 * segmentCount - 1] + 1) {
            int run = 2 * (segmentCount - 1);
            segments[run] = Math.min(segments[run], first);
            segments[run + 1] = Math.max(segments[run + 1], last);
            return;
        }
        if (segments.length < 2 * (segmentCount + 1)) {
            segments = Arrays.copyOf(segments, segments.length * 2);
        }
        segments[2 * segmentCount] = first;
        segments[2 * segmentCount + 1] = last;
        segmentCount++;
    }

    private void finish(ClipIndex index, int resume) {
        if (segmentCount > 0) {
            if (ending == Ending.CONTINUE) {
                int end = 2 * segmentCount - 1;
                int onward = segments[end] + 2 * index.reorderDepth();
                segments[end] = Math.min(onward, index.packets().count() - 1);
            }
            if (resume > segments[0] && resume <= segments[1] + 1) {
                resumeAt = resume;
            }
        }
        layRanges(index);
    }

    private void layRanges(ClipIndex index) {
        rangeCount = 0;
        byteCount = 0;
        neededBytes = 0;
        cursor = 0;
        if (index.access() == ClipIndex.Access.DEMUX) {
            addRange(0, index.source().blobSize());
            neededBytes = index.source().blobSize();
        } else {
            layPacketRanges(index);
        }
        long start = 0;
        if (rangeStarts.length < rangeCount) {
            rangeStarts = new int[ranges.length / 2];
        }
        for (int i = 0; i < rangeCount; i++) {
            rangeStarts[i] = (int) Math.min(start, Integer.MAX_VALUE);
            start += ranges[2 * i + 1] - ranges[2 * i];
        }
        byteCount = start;
    }

    private void layPacketRanges(ClipIndex index) {
        PacketTable packets = index.packets();
        for (int s = 0; s < segmentCount; s++) {
            int first = s == 0 && resumeAt >= 0 ? resumeAt : segments[2 * s];
            for (int p = first; p <= segments[2 * s + 1]; p++) {
                if (!drops(index, p)) {
                    addRange(packets.pos(p), packets.pos(p) + packets.size(p));
                    neededBytes += packets.size(p);
                }
            }
        }
    }

    private void addRange(long start, long end) {
        if (rangeCount > 0) {
            int last = 2 * (rangeCount - 1);
            if (start >= ranges[last] && start <= ranges[last + 1] + gapLimit) {
                ranges[last + 1] = Math.max(ranges[last + 1], end);
                return;
            }
        }
        if (ranges.length < 2 * (rangeCount + 1)) {
            ranges = Arrays.copyOf(ranges, ranges.length * 2);
        }
        ranges[2 * rangeCount] = start;
        ranges[2 * rangeCount + 1] = end;
        rangeCount++;
    }

    /** Whether the index already says that the packet may be left out. The decoder finds more from the bytes. */
    public boolean drops(ClipIndex index, int packet) {
        return dropping
                && index.packets().is(PacketTable.DISPOSABLE, packet)
                && !index.hasParts()
                && !needsFrameOf(index, packet);
    }

    /** Whether the packet's own frame is wanted, or may be by the call that continues where this one ends. */
    public boolean needsFrameOf(ClipIndex index, int packet) {
        int frame = index.frameOf(packet);
        boolean later = ending == Ending.CONTINUE && wantedCount > 0 && frame > wanted[wantedCount - 1];
        return frame >= 0 && (later || firstOrdinalOf(frame) >= 0);
    }

    /** First position of a frame among the wanted, or -1. */
    public int firstOrdinalOf(int frame) {
        int at = Arrays.binarySearch(wanted, 0, wantedCount, frame);
        while (at > 0 && wanted[at - 1] == frame) {
            at--;
        }
        return Math.max(at, -1);
    }

    /** Number of wanted frames. */
    public int wantedCount() {
        return wantedCount;
    }

    /** The wanted frame at a position, ascending. */
    public int wanted(int ordinal) {
        return wanted[ordinal];
    }

    /** How the decoder ends. */
    public Ending ending() {
        return ending;
    }

    /** Whether needless packets are left out. */
    public boolean dropping() {
        return dropping;
    }

    /** The packet at which the decoder continues, or -1 where the plan starts from a key. */
    public int resumeAt() {
        return resumeAt;
    }

    /** Number of runs of packets. */
    public int segmentCount() {
        return segmentCount;
    }

    /** First packet of a run: a key. */
    public int segmentFirst(int segment) {
        return segments[2 * segment];
    }

    /** Last packet of a run. */
    public int segmentLast(int segment) {
        return segments[2 * segment + 1];
    }

    /** Number of byte ranges. */
    public int rangeCount() {
        return rangeCount;
    }

    /** Offset of a range in the blob. */
    public long rangeOffset(int range) {
        return ranges[2 * range];
    }

    /** Bytes of a range. */
    public long rangeLength(int range) {
        return ranges[2 * range + 1] - ranges[2 * range];
    }

    /** Bytes of all ranges. */
    public long byteCount() {
        return byteCount;
    }

    /** Bytes of the packets that go to the decoder: all of {@link #byteCount} but the gaps that were read over. */
    public long neededBytes() {
        return neededBytes;
    }

    /**
     * Reads the ranges, one after another, into {@code bytes} from its beginning.
     *
     * @param bytes room for {@link #byteCount}
     * @return {@code bytes}, from 0 to the end of what was read: what a decoder takes
     */
    public ByteBuffer read(Blob blob, ByteBuffer bytes) throws IOException {
        bytes.clear();
        for (int i = 0; i < rangeCount; i++) {
            bytes.limit(bytes.position() + (int) rangeLength(i));
            blob.read(rangeOffset(i), bytes);
        }
        return bytes.flip();
    }

    /** Where the bytes at {@code pos} lie in the ranges laid end to end, or -1 where no range holds them whole. */
    public int positionOf(long pos, int size) {
        for (int tried = 0; tried < rangeCount; tried++) {
            long start = ranges[2 * cursor];
            if (pos >= start && pos + size <= ranges[2 * cursor + 1]) {
                return (int) (rangeStarts[cursor] + (pos - start));
            }
            cursor = cursor + 1 == rangeCount ? 0 : cursor + 1;
        }
        return -1;
    }
}
