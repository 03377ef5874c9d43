package dev.penstock.decode.clip;

import java.net.URI;
import java.util.Arrays;
import java.util.List;

/**
 * Everything known about one video stream of one blob: its packets in decode order, its frames in the order in which
 * they are shown, and how to open a decoder for it. Immutable and safe to share between threads.
 *
 * <p><b>Frame i</b> is the i-th shown frame in presentation order, from 0: packets that an edit list trims
 * ({@link PacketTable#DISCARD}) or that yield no picture are not counted, though they may be needed to decode others.
 * A frame is on screen from its own time up to the next frame's; the last one for its duration. Times are the
 * container's: negative is legal, and the first frame is not always at 0 ({@link #startSeconds()}).
 *
 * <p>Two frames may have the same time. Each keeps its own number; a look-up by time gives the last of them, for the
 * earlier ones are on screen for no time at all.
 */
public final class ClipIndex {
    /** How the decoder gets at the packets. */
    public enum Access {
        /** Each packet lies at {@code pos, size} of the blob. */
        RANGES,
        /** Packets must be demuxed from the whole blob in memory. */
        DEMUX
    }

    /** New decoder configuration that comes into force at a packet. */
    public record FormatChange(int packet, CodecConfig extradata) {}

    /**
     * Which stream of which blob, and how it is to be read and shown.
     *
     * @param uri the blob
     * @param identity changes when the blob's content does
     * @param blobSize bytes of the blob
     * @param stream the stream's number in the container
     * @param container FFmpeg's name of the container's format
     * @param access how the decoder gets at the packets
     * @param accessReason why {@code access} is what it is, for people
     * @param timeBaseNumerator seconds per tick, numerator
     * @param timeBaseDenominator seconds per tick, denominator
     * @param rotation degrees to turn the picture clockwise for display: 0, 90, 180 or 270, or -1 for another matrix
     * @param mirrored whether the picture is flipped left to right before it is turned
     * @param declaredPackets packets that the container's header lists; more than the table holds in a truncated blob
     */
    public record Source(
            URI uri,
            String identity,
            long blobSize,
            int stream,
            String container,
            Access access,
            String accessReason,
            int timeBaseNumerator,
            int timeBaseDenominator,
            int rotation,
            boolean mirrored,
            int declaredPackets) {}

    private final Source source;
    private final StreamFormat format;
    private final PacketTable packets;
    private final List<FormatChange> formatChanges;
    private final int[] frameToPacket;
    private final int[] packetToFrame;
    private final int[] keys;
    private final int reorderDepth;
    private final boolean hasParts;

    /** Derives frame and key lists from the packets. Every shown packet must have a presentation time. */
    public ClipIndex(Source source, StreamFormat format, PacketTable packets, List<FormatChange> formatChanges) {
        this.source = source;
        this.format = format;
        this.packets = packets;
        this.formatChanges = List.copyOf(formatChanges);
        this.frameToPacket = FrameOrder.byTime(packets);
        this.packetToFrame = FrameOrder.inverse(frameToPacket, packets.count());
        this.keys = FrameOrder.keys(packets);
        this.reorderDepth = Math.max(format.videoDelay(), FrameOrder.reorderDepth(packets));
        this.hasParts = packets.any(PacketTable.PART);
    }

    /** The same index for the same content at another place. */
    public ClipIndex at(URI uri, String identity) {
        Source there = new Source(
                uri,
                identity,
                source.blobSize(),
                source.stream(),
                source.container(),
                source.access(),
                source.accessReason(),
                source.timeBaseNumerator(),
                source.timeBaseDenominator(),
                source.rotation(),
                source.mirrored(),
                source.declaredPackets());
        return new ClipIndex(there, format, packets, formatChanges);
    }

    /** Which stream of which blob. */
    public Source source() {
        return source;
    }

    /** The blob. */
    public URI uri() {
        return source.uri();
    }

    /** Decoder configuration and picture properties. */
    public StreamFormat format() {
        return format;
    }

    /** The packets in decode order. */
    public PacketTable packets() {
        return packets;
    }

    /** Changes of decoder configuration in mid-stream, by packet; mostly empty. */
    public List<FormatChange> formatChanges() {
        return formatChanges;
    }

    /** How the decoder gets at the packets. */
    public Access access() {
        return source.access();
    }

    /** Number of shown frames. */
    public int frameCount() {
        return frameToPacket.length;
    }

    /** Whether the blob ends before the packets that its header lists. */
    public boolean truncated() {
        return source.declaredPackets() > packets.count();
    }

    /** Presentation time of a frame, in ticks. */
    public long ptsOf(int frame) {
        return packets.pts(packetOf(frame));
    }

    /** Presentation time of a frame in the container's seconds, rounded once. */
    public double secondsOf(int frame) {
        return seconds(ptsOf(frame));
    }

    /** Ticks in seconds, rounded once. */
    public double seconds(long ticks) {
        return (double) ticks * source.timeBaseNumerator() / source.timeBaseDenominator();
    }

    /** Time of the first frame in seconds: the clip's origin. */
    public double startSeconds() {
        return frameCount() == 0 ? 0 : secondsOf(0);
    }

    /** First instant after the last frame, in ticks. Where no duration is known the last gap between frames counts. */
    public long endTicks() {
        int n = frameCount();
        if (n == 0) {
            return 0;
        }
        long last = ptsOf(n - 1);
        int duration = packets.duration(packetOf(n - 1));
        if (duration > 0) {
            return last + duration;
        }
        return last + (n > 1 ? Math.max(1, last - ptsOf(n - 2)) : 1);
    }

    /** First instant after the last frame, in seconds. */
    public double endSeconds() {
        return seconds(endTicks());
    }

    /** Seconds from the first frame's appearance to the end of the last. */
    public double durationSeconds() {
        return frameCount() == 0 ? 0 : seconds(endTicks() - ptsOf(0));
    }

    /** Whether a decoder may start at the frame. */
    public boolean isKey(int frame) {
        return packets.is(PacketTable.KEY, packetOf(frame));
    }

    /**
     * The frame on screen at an instant.
     *
     * @param seconds the container's time
     * @param tolerance how far the instant may lie before a frame's time and still count as that frame, in seconds
     * @return the frame with {@code time <= seconds + tolerance < next time}, or -1 before the first and after the end
     */
    public int frameAt(double seconds, double tolerance) {
        double t = seconds + tolerance;
        int frame = lastAtOrBefore(t);
        boolean afterTheEnd = frame == frameCount() - 1 && seconds >= endSeconds();
        return afterTheEnd || Double.isNaN(t) ? -1 : frame;
    }

    /** {@link #frameAt(double, double)} with a tolerance of a microsecond, which absorbs rounding of the caller's time. */
    public int frameAt(double seconds) {
        return frameAt(seconds, 1e-6);
    }

    /** The frame on screen, the first frame before the clip begins, the last after it ended; -1 only without frames. */
    public int frameAtOrNearest(double seconds) {
        if (frameCount() == 0 || Double.isNaN(seconds)) {
            return -1;
        }
        return Math.max(0, lastAtOrBefore(seconds + 1e-6));
    }

    /** The frame whose time is closest to the instant, the earlier of two; -1 only without frames. */
    public int nearestFrame(double seconds) {
        int before = frameAtOrNearest(seconds);
        if (before < 0 || before == frameCount() - 1) {
            return before;
        }
        return secondsOf(before + 1) - seconds < seconds - secondsOf(before) ? before + 1 : before;
    }

    private int lastAtOrBefore(double seconds) {
        int low = 0;
        int high = frameCount() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (secondsOf(middle) <= seconds) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** The packet whose decoding yields the frame. */
    public int packetOf(int frame) {
        return frameToPacket[frame];
    }

    /** The last packet of the frame: the packet itself, or that of its second field. */
    public int lastPacketOf(int frame) {
        int packet = packetOf(frame);
        if (hasParts) {
            while (packet + 1 < packets.count() && packets.is(PacketTable.PART, packet + 1)) {
                packet++;
            }
        }
        return packet;
    }

    /** The frame that a packet yields, or -1. */
    public int frameOf(int packet) {
        return packetToFrame[packet];
    }

    /** Whether some frames take two packets; then nothing is droppable. */
    public boolean hasParts() {
        return hasParts;
    }

    /**
     * The packet at which to start decoding for a frame: the latest key, in decode order, that is shown no later than
     * the frame. A leading picture of an open group of pictures so starts at the key before its own.
     */
    public int entryOf(int frame) {
        int packet = packetOf(frame);
        int k = keyAtOrBefore(packet);
        long pts = packets.pts(packet);
        while (k > 0 && (packets.pts(keys[k]) > pts || packets.pts(keys[k]) == PacketTable.NO_TIME)) {
            k--;
        }
        return k < 0 ? 0 : keys[k];
    }

    /** The key packet before a key packet, or packet 0 at the beginning. */
    public int entryBefore(int packet) {
        int k = keyAtOrBefore(packet - 1);
        return k < 0 ? 0 : keys[k];
    }

    private int keyAtOrBefore(int packet) {
        int found = Arrays.binarySearch(keys, packet);
        return found >= 0 ? found : -found - 2;
    }

    /** Key packets in decode order, those that are not shown among them. */
    public int keyCount() {
        return keys.length;
    }

    /** The k-th key packet. */
    public int keyPacket(int k) {
        return keys[k];
    }

    /** Most packets between two key packets, the distance that a random access may have to decode. */
    public int longestKeyDistance() {
        int longest = 0;
        for (int k = 0; k < keys.length; k++) {
            int next = k + 1 < keys.length ? keys[k + 1] : packets.count();
            longest = Math.max(longest, next - keys[k]);
        }
        return longest;
    }

    /** Most frames that are decoded before, yet shown after, some frame. */
    public int reorderDepth() {
        return reorderDepth;
    }

    /** Whether the index was made from a blob with this identity and size. */
    public boolean isOf(String identity, long size) {
        return source.identity().equals(identity) && source.blobSize() == size;
    }

    @Override
    public boolean equals(@org.jspecify.annotations.Nullable Object object) {
        return object instanceof ClipIndex other
                && source.equals(other.source)
                && format.equals(other.format)
                && packets.equals(other.packets)
                && formatChanges.equals(other.formatChanges);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source.uri() + " stream " + source.stream() + ": " + frameCount() + " frames of " + format + ", "
                + source.access();
    }
}
