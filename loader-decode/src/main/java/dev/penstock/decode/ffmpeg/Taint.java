package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import java.util.Arrays;

/**
 * Which packets a decode error may have spoiled: from the bad packet up to the next key, and the pictures of that key's
 * open group that are shown before it. Owned by one thread.
 */
final class Taint {
    private int[] starts = new int[4];
    private int count;

    void clear() {
        count = 0;
    }

    /** A packet failed to decode, or decoded with errors. */
    void add(int packet) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = packet;
    }

    boolean any() {
        return count > 0;
    }

    /** The first bad packet, or -1. */
    int first() {
        int first = -1;
        for (int i = 0; i < count; i++) {
            first = first < 0 ? starts[i] : Math.min(first, starts[i]);
        }
        return first;
    }

    boolean covers(ClipIndex index, int packet) {
        for (int i = 0; i < count; i++) {
            if (packet == starts[i] || (packet > starts[i] && index.entryOf(index.frameOf(packet)) <= starts[i])) {
                return true;
            }
        }
        return false;
    }
}
