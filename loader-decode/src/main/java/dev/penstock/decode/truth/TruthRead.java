package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import dev.penstock.spi.ReadRequest;
import java.util.Arrays;
import java.util.Objects;

/**
 * The byte ranges of a batch's truth records, and where each record then lies in the bytes that were read. Filled by one
 * thread, sealed, then read by others; used again for later batches.
 */
final class TruthRead implements ReadRequest {
    /** Two records nearer than this are read as one range: a request costs more than the bytes between them. */
    private static final int GAP = 4096;

    /** A range stays below this, so that its length is an int and its read is not endless. */
    private static final int MOST_RANGE = 16 << 20;

    private final RecordPick pick = new RecordPick();
    private TruthTable[] tables = new TruthTable[8];
    private int tableCount;

    /** Wanted records: number of the table in the upper half, record in the lower; ascending once sealed. */
    private long[] keys = new long[64];

    /** Where the record of each key starts in the bytes read. */
    private long[] starts = new long[64];

    private int keyCount;

    private int[] rangeTable = new int[64];
    private long[] rangeOffset = new long[64];
    private int[] rangeLength = new int[64];
    private int rangeCount;

    RecordPick pick() {
        return pick;
    }

    void clear() {
        Arrays.fill(tables, 0, tableCount, null);
        tableCount = 0;
        keyCount = 0;
        rangeCount = 0;
    }

    /** Adds a record, and another unless {@code second} is -1. */
    void want(TruthTable table, int first, int second) {
        long upper = (long) numberOf(table) << 32;
        add(upper | first);
        if (second >= 0) {
            add(upper | second);
        }
    }

    private void add(long key) {
        if (keyCount > 0 && keys[keyCount - 1] == key) {
            return;
        }
        if (keyCount == keys.length) {
            keys = Arrays.copyOf(keys, 2 * keyCount);
        }
        keys[keyCount++] = key;
    }

    private int numberOf(TruthTable table) {
        int number = find(table);
        if (number >= 0) {
            return number;
        }
        if (tableCount == tables.length) {
            tables = Arrays.copyOf(tables, 2 * tableCount);
        }
        tables[tableCount] = table;
        return tableCount++;
    }

    private int find(TruthTable table) {
        for (int i = tableCount - 1; i >= 0; i--) { // backwards: neighbouring rows are of one table
            if (tables[i] == table) {
                return i;
            }
        }
        return -1;
    }

    /** Sorts, drops repeats and makes the ranges. Whether there are any. */
    boolean seal() {
        Arrays.sort(keys, 0, keyCount);
        int distinct = 0;
        for (int i = 0; i < keyCount; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                keys[distinct++] = keys[i];
            }
        }
        keyCount = distinct;
        if (starts.length < keyCount) {
            starts = new long[keys.length];
        }
        long end = 0;
        for (int i = 0; i < keyCount; i++) {
            end = place(i, end);
        }
        return rangeCount > 0;
    }

    /** Puts the record of key {@code i} into the last range or a new one; the length of all ranges so far. */
    private long place(int i, long end) {
        int number = (int) (keys[i] >>> 32);
        int record = (int) keys[i];
        long offset = tables[number].offset(record);
        int length = tables[number].length(record);
        if (rangeCount > 0 && rangeTable[rangeCount - 1] == number) {
            int last = rangeCount - 1;
            long from = rangeOffset[last];
            long until = from + rangeLength[last];
            if (offset >= from && offset <= until + GAP && offset + length - from <= MOST_RANGE) {
                int longer = (int) (Math.max(until, offset + length) - from);
                starts[i] = end - rangeLength[last] + (offset - from);
                long grown = end + longer - rangeLength[last];
                rangeLength[last] = longer;
                return grown;
            }
        }
        if (rangeCount == rangeTable.length) {
            rangeTable = Arrays.copyOf(rangeTable, 2 * rangeCount);
            rangeOffset = Arrays.copyOf(rangeOffset, 2 * rangeCount);
            rangeLength = Arrays.copyOf(rangeLength, 2 * rangeCount);
        }
        rangeTable[rangeCount] = number;
        rangeOffset[rangeCount] = offset;
        rangeLength[rangeCount++] = length;
        starts[i] = end;
        return end + length;
    }

    /** Where {@code record} starts in the bytes read; -1 when it was not asked for. */
    long startOf(TruthTable table, int record) {
        int number = find(table);
        int key = number < 0 ? -1 : Arrays.binarySearch(keys, 0, keyCount, (long) number << 32 | record);
        return key < 0 ? -1 : starts[key];
    }

    @Override
    public int ranges() {
        return rangeCount;
    }

    @Override
    public Blob blob(int i) {
        return Objects.requireNonNull(tables[rangeTable[i]].blob());
    }

    @Override
    public long offset(int i) {
        return rangeOffset[i];
    }

    @Override
    public int length(int i) {
        return rangeLength[i];
    }
}
