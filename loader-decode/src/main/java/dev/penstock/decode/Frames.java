package dev.penstock.decode;

import java.util.Arrays;

/** Lists of frame numbers. */
final class Frames {

    private Frames() {}

    /** Sorts the first {@code count} numbers, keeps each once and returns how many are left. */
    static int sortUnique(int[] frames, int count) {
        if (count == 0) {
            return 0;
        }
        if (!ascends(frames, count)) { // one window does, and sorting it would make garbage
            Arrays.sort(frames, 0, count);
        }
        int kept = 1;
        for (int i = 1; i < count; i++) {
            if (frames[i] != frames[kept - 1]) {
                frames[kept++] = frames[i];
            }
        }
        return kept;
    }

    private static boolean ascends(int[] frames, int count) {
        for (int i = 1; i < count; i++) {
            if (frames[i] < frames[i - 1]) {
                return false;
            }
        }
        return true;
    }
}
