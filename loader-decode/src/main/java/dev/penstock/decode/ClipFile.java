package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.ffmpeg.DisplayShape;
import dev.penstock.spi.Blob;

/**
 * One video stream of one file, indexed; episodes may share it. Immutable and thread-safe.
 */
final class ClipFile {
    private final Blob blob;
    private final ClipIndex index;
    private final int number;
    private final boolean ordered;
    private final DisplayShape shape;

    /** @param number the file's number among those of the source, for grouping */
    ClipFile(Blob blob, ClipIndex index, int number) {
        this.blob = blob;
        this.index = index;
        this.number = number;
        this.ordered = isOrdered(index);
        this.shape = canRotate() ? DisplayShape.of(index) : DisplayShape.AS_CODED;
    }

    private static boolean isOrdered(ClipIndex index) {
        PacketTable packets = index.packets();
        for (int p = 1; p < packets.count(); p++) {
            if (packets.pos(p) < packets.pos(p - 1) + packets.size(p - 1)) {
                return false;
            }
        }
        return index.access() == ClipIndex.Access.RANGES;
    }

    Blob blob() {
        return blob;
    }

    ClipIndex index() {
        return index;
    }

    int number() {
        return number;
    }

    /** Whether packets lie in the file in decode order, so that a span of packets is a span of the file. */
    boolean isOrdered() {
        return ordered;
    }

    /** How its pictures are shown; as they are coded where the display matrix can't be applied. */
    DisplayShape shape() {
        return shape;
    }

    /** Whether its display matrix is one that can be applied. */
    boolean canRotate() {
        return index.source().rotation() >= 0;
    }

    /** Bytes of the file from packet {@code first} to packet {@code last}; the whole file where it is not in order. */
    long span(int first, int last) {
        PacketTable packets = index.packets();
        return ordered ? packets.pos(last) + packets.size(last) - packets.pos(first) : blob.size();
    }
}
