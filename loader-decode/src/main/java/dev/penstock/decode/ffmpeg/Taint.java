package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import java.util.Arrays;

/**
 * Which packets a decode error may have spoiled: the bad one, and, unless nothing depends on it, all from there up to
 * the next key and the pictures of that key's open group that are shown before it. Owned by one thread.
 */
final class Taint {
    private int[] starts = new int[4];
    private boolean[] alone = new boolean[4];
    private int count;

    void clear() {
        count = 0;
    }

    /** A packet failed to decode, or decoded with errors. */
    void add(int packet, boolean nothingDependsOnIt) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            alone = Arrays.copyOf(alone, count * 2);
        }
        alone[count] = nothingDependsOnIt;
        starts[count++] = packet;
    }

    boolean any() {
        return count > 0;
    }

    boolean covers(ClipIndex index, int packet) {
        for (int i = 0; i < count; i++) {
            boolean after = packet > starts[i] && !alone[i];
            if (packet == starts[i] || (after && index.entryOf(index.frameOf(packet)) <= starts[i])) {
                return true;
            }
        }
        return false;
    }
}
