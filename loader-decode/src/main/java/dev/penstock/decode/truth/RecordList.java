package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of one list while a file is indexed: place, line and key of each, and what their fields are. One thread.
 */
final class RecordList {
    /** Start of its fields' names: the list's key in the file; "" for the file itself and for the main list. */
    final String name;
    /** The records' fields hang below it. */
    final FieldTracker root;
    /** The fields that a schema speaks of. */
    final List<FieldTracker> expected = new ArrayList<>();

    private long[] offsets = new long[64];
    private int[] lengths = new int[64];
    private int[] lines = new int[64];
    private double[] keys = new double[64];
    private int size;
    private int byFrame;

    RecordList(String name) {
        this.name = name;
        this.root = new FieldTracker(name, null, null);
    }

    /** A list called records or frames is the main one. */
    static boolean isMain(String key) {
        return key.equals("records") || key.equals("frames");
    }

    boolean isByFrame() {
        return byFrame > 0;
    }

    int size() {
        return size;
    }

    long[] offsets() {
        return Arrays.copyOf(offsets, size);
    }

    int[] lengths() {
        return Arrays.copyOf(lengths, size);
    }

    int[] lines() {
        return Arrays.copyOf(lines, size);
    }

    int line(int record) {
        return lines[record];
    }

    /** Adds a record; {@code key} is seconds, or a frame number. */
    void add(long offset, int length, int line, double key, boolean frame) {
        if (size == offsets.length) {
            int capacity = size * 2;
            offsets = Arrays.copyOf(offsets, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
            lines = Arrays.copyOf(lines, capacity);
            keys = Arrays.copyOf(keys, capacity);
        }
        offsets[size] = offset;
        lengths[size] = length;
        lines[size] = line;
        keys[size] = key;
        size++;
        byFrame += frame ? 1 : 0;
    }

    /** The records' seconds; frame numbers are looked up in {@code frames}. */
    double[] times(TruthInput input, double @Nullable [] frames) throws DatasetException {
        if (byFrame == 0) {
            return Arrays.copyOf(keys, size);
        }
        if (byFrame < size) {
            throw new DatasetException(input.prefix() + ": " + byFrame + " of " + size + " records of "
                    + (name.isEmpty() ? "the file" : "'" + name + "'")
                    + " have a frame number and no time; a list's records need one kind of key");
        }
        if (frames == null) {
            throw new DatasetException(input.prefix() + ": records are keyed by frame, but the episode has no"
                    + " reference clip to take the frames' times from; key them by time in seconds");
        }
        return lookUp(input, frames);
    }

    private double[] lookUp(TruthInput input, double[] frames) throws DatasetException {
        double[] times = new double[size];
        int[] firstLine = new int[frames.length];
        for (int i = 0; i < size; i++) {
            if (keys[i] < 0 || keys[i] >= frames.length) {
                throw new DatasetException(input.prefix() + ", line " + lines[i] + ": frame " + (long) keys[i]
                        + ", but the reference clip has " + frames.length + " frames, 0 to " + (frames.length - 1));
            }
            int frame = (int) keys[i];
            if (firstLine[frame] != 0) {
                throw new DatasetException(input.prefix() + ", line " + lines[i] + ": frame " + frame
                        + " stands in line " + firstLine[frame] + " already; a frame has one record");
            }
            firstLine[frame] = lines[i];
            times[i] = frames[frame];
        }
        return times;
    }
}
