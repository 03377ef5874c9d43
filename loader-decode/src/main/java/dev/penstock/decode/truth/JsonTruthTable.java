package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One list of JSON records: primitive arrays of times and places, in order of time. Immutable. */
final class JsonTruthTable extends DescribedTruth {
    private final String name;
    private final TruthSchema schema;
    private final Map<String, String> problems;
    private final double @Nullable [] times;
    private final long[] offsets;
    private final int[] lengths;
    private final int[] lines;
    private final @Nullable Blob blob;
    private final @Nullable ByteBuffer memory;

    private JsonTruthTable(
            TruthInput input,
            RecordList list,
            double @Nullable [] times,
            int[] order,
            String identity,
            @Nullable Blob blob,
            @Nullable ByteBuffer memory) {
        super(input, identity, times == null ? Form.EPISODE : list.isByFrame() ? Form.FRAME : Form.TIME);
        this.name = list.name;
        this.times = times == null
                ? null
                : IntStream.of(order).mapToDouble(i -> times[i]).toArray();
        long[] offsetOf = list.offsets();
        int[] lengthOf = list.lengths();
        int[] lineOf = list.lines();
        this.offsets = IntStream.of(order).mapToLong(i -> offsetOf[i]).toArray();
        this.lengths = IntStream.of(order).map(i -> lengthOf[i]).toArray();
        this.lines = IntStream.of(order).map(i -> lineOf[i]).toArray();
        this.blob = blob;
        this.memory = memory;
        this.problems = new HashMap<>();
        List<TruthField> fields = new ArrayList<>();
        for (FieldTracker tracker : list.root.children.values()) {
            collect(tracker, list.size(), fields);
        }
        TruthSchema given = input.schema();
        this.schema = given == null ? new TruthSchema(fields) : new TruthSchema(fields, given.time(), given.frame());
    }

    /** A list with times. */
    static JsonTruthTable timed(
            TruthInput input,
            RecordList list,
            double[] times,
            String identity,
            @Nullable Blob blob,
            byte @Nullable [] memory) {
        return new JsonTruthTable(
                input,
                list,
                times,
                byTime(times),
                identity,
                memory == null ? blob : null,
                memory == null ? null : ByteBuffer.wrap(memory));
    }

    /** The constants of an episode: {@code json} is one object of them. */
    static JsonTruthTable constant(TruthInput input, RecordList list, String identity, byte[] json) {
        return new JsonTruthTable(input, list, null, new int[] {0}, identity, null, ByteBuffer.wrap(json));
    }

    /** Stable: records with equal times keep the file's order. */
    private static int[] byTime(double[] times) {
        boolean sorted = true;
        for (int i = 1; i < times.length && sorted; i++) {
            sorted = times[i - 1] <= times[i];
        }
        IntStream all = IntStream.range(0, times.length);
        return sorted
                ? all.toArray()
                : all.boxed()
                        .sorted((a, b) -> Double.compare(times[a], times[b]))
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    private void collect(FieldTracker tracker, int records, List<TruthField> fields) {
        if (tracker.isField()) {
            TruthField field = tracker.field(records);
            fields.add(field);
            String problem = tracker.problem();
            if (problem != null) {
                problems.put(field.name(), problem);
            } else if (field.type() == TruthType.MIXED) {
                problems.put(
                        field.name(),
                        input.prefix() + ": field '" + field.name()
                                + "' has lists of different length inside lists, which no tensor holds");
            }
            return;
        }
        for (FieldTracker child : tracker.children.values()) {
            collect(child, records, fields);
        }
    }

    /** Start of the names of the records' fields; "" or a list's name. */
    String name() {
        return name;
    }

    /** The bytes of all records where they are in memory: take {@link #start} and {@link #bytes}. */
    @Nullable
    ByteBuffer memory() {
        return memory;
    }

    int start(int record) {
        return constant() ? 0 : (int) offsets[record];
    }

    int bytes(int record) {
        return constant() && memory != null ? memory.capacity() : lengths[record];
    }

    @Override
    String where(int record) {
        return input.prefix() + ", line " + lines[record] + (constant() ? "" : ", byte " + offsets[record])
                + ", record " + record;
    }

    @Override
    public TruthFormat format() {
        return JsonTruthFormat.INSTANCE;
    }

    @Override
    public TruthSchema schema() {
        return schema;
    }

    @Override
    Map<String, String> problems() {
        return problems;
    }

    @Override
    public int records() {
        return offsets.length;
    }

    @Override
    public double timeOf(int record) {
        return times == null ? 0 : times[record];
    }

    @Override
    public @Nullable Blob blob() {
        return blob;
    }

    @Override
    public long offset(int record) {
        return offsets[record];
    }

    @Override
    public int length(int record) {
        return memory == null ? lengths[record] : 0;
    }

    @Override
    public void close() {
        if (blob != null) {
            blob.close();
        }
    }
}
