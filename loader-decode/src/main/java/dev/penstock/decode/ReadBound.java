package dev.penstock.decode;

/**
 * An upper bound, in constant time, of the bytes that a window of a clip makes the reader read: the span of the file
 * from the key frame before its first frame to the last packet that its frames take. Exact plans skip some of that.
 */
final class ReadBound {
    private final ClipFile file;
    /** By frame: the last packet that it or any frame shown before it takes. */
    private final int[] lastPacket;

    ReadBound(ClipFile file) {
        this.file = file;
        this.lastPacket = new int[file.index().frameCount()];
        int last = 0;
        for (int frame = 0; frame < lastPacket.length; frame++) {
            last = Math.max(last, file.index().lastPacketOf(frame));
            lastPacket[frame] = last;
        }
    }

    /** Bytes for a window from {@code first} to {@code last} frame. */
    long of(int first, int last) {
        return file.span(file.index().entryOf(first), lastPacket[last]);
    }
}
