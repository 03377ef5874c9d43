package dev.penstock.decode.clip;

import java.util.Arrays;

/**
 * A stream's packets in decode order: one row each, in primitive arrays. Immutable and safe to share.
 *
 * <p>Times are ticks of the stream's time base. A missing time is {@link #NO_TIME}.
 */
public final class PacketTable {
    /** The container gives no such time. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** A decoder may start here. */
    public static final int KEY = 1;
    /** Decoded but not shown: an edit list trims it. */
    public static final int DISCARD = 2;
    /** No other packet depends on it. Unset where that is not known. */
    public static final int DISPOSABLE = 4;
    /** Yields no frame of its own: a hidden reference, or a leading picture that nothing can decode. */
    public static final int HIDDEN = 8;
    /** The rest of the frame that the packet before it began: a second field. */
    public static final int PART = 16;

    final long[] pts;
    final long[] dts;
    final long[] pos;
    final int[] size;
    final int[] duration;
    final byte[] flags;

    private PacketTable(Builder rows) {
        int n = rows.count;
        pts = Arrays.copyOf(rows.pts, n);
        dts = Arrays.copyOf(rows.dts, n);
        pos = Arrays.copyOf(rows.pos, n);
        size = Arrays.copyOf(rows.size, n);
        duration = Arrays.copyOf(rows.duration, n);
        flags = Arrays.copyOf(rows.flags, n);
    }

    /** Number of packets. */
    public int count() {
        return size.length;
    }

    /** Presentation time in ticks, or {@link #NO_TIME}. */
    public long pts(int packet) {
        return pts[packet];
    }

    /** Decode time in ticks, or {@link #NO_TIME}. */
    public long dts(int packet) {
        return dts[packet];
    }

    /** Offset of the payload in the blob; where packets cannot be read from ranges, what the demuxer said, or -1. */
    public long pos(int packet) {
        return pos[packet];
    }

    /** Payload bytes. */
    public int size(int packet) {
        return size[packet];
    }

    /** Duration in ticks, 0 where the container gives none. */
    public int duration(int packet) {
        return duration[packet];
    }

    /** The packet's flags, a sum of this class's constants. */
    public int flags(int packet) {
        return flags[packet];
    }

    /** Whether a flag is set. */
    public boolean is(int flag, int packet) {
        return (flags[packet] & flag) != 0;
    }

    /** Whether the packet yields a frame that is shown. */
    public boolean shown(int packet) {
        return (flags[packet] & (DISCARD | HIDDEN | PART)) == 0;
    }

    boolean any(int flag) {
        for (byte f : flags) {
            if ((f & flag) != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(@org.jspecify.annotations.Nullable Object object) {
        return object instanceof PacketTable other
                && Arrays.equals(pts, other.pts)
                && Arrays.equals(dts, other.dts)
                && Arrays.equals(pos, other.pos)
                && Arrays.equals(size, other.size)
                && Arrays.equals(duration, other.duration)
                && Arrays.equals(flags, other.flags);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pts) * 31 + Arrays.hashCode(size);
    }

    /** Collects rows; owned by one thread. */
    public static final class Builder {
        private long[] pts = new long[256];
        private long[] dts = new long[256];
        private long[] pos = new long[256];
        private int[] size = new int[256];
        private int[] duration = new int[256];
        private byte[] flags = new byte[256];
        private int count;

        /** Appends one packet in decode order. */
        public void add(long pts, long dts, long pos, int size, long duration, int flags) {
            if (count == this.size.length) {
                grow();
            }
            this.pts[count] = pts;
            this.dts[count] = dts;
            this.pos[count] = pos;
            this.size[count] = size;
            this.duration[count] = (int) Math.max(0, Math.min(duration, Integer.MAX_VALUE));
            this.flags[count] = (byte) flags;
            count++;
        }

        private void grow() {
            int capacity = count + (count >> 1);
            pts = Arrays.copyOf(pts, capacity);
            dts = Arrays.copyOf(dts, capacity);
            pos = Arrays.copyOf(pos, capacity);
            size = Arrays.copyOf(size, capacity);
            duration = Arrays.copyOf(duration, capacity);
            flags = Arrays.copyOf(flags, capacity);
        }

        /** Rows so far. */
        public int count() {
            return count;
        }

        /** Presentation time of a row. */
        public long pts(int packet) {
            return pts[packet];
        }

        /** Decode time of a row. */
        public long dts(int packet) {
            return dts[packet];
        }

        /** Offset of a row. */
        public long pos(int packet) {
            return pos[packet];
        }

        /** Size of a row. */
        public int size(int packet) {
            return size[packet];
        }

        /** Flags of a row. */
        public int flags(int packet) {
            return flags[packet];
        }

        /** Replaces a row's presentation time. */
        public void setPts(int packet, long ticks) {
            pts[packet] = ticks;
        }

        /** Replaces a row's offset. */
        public void setPos(int packet, long offset) {
            pos[packet] = offset;
        }

        /** Replaces a row's flags. */
        public void setFlags(int packet, int value) {
            flags[packet] = (byte) value;
        }

        /** The rows as a table. */
        public PacketTable build() {
            return new PacketTable(this);
        }
    }
}
