package dev.penstock.decode.testkit;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthAnchors;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthCollation;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthGather;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleException;
import dev.penstock.view.Column;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs the truth of one batch the way that the engine does: request, read, collate, into plain memory. */
public final class TruthRun implements AutoCloseable {
    public final TruthGather gather;
    public final TruthCollation collation;
    private final BatchSpec spec;

    public TruthRun(Map<String, Column> truth, TruthAnchors anchors) {
        List<TruthColumn> columns = TruthColumn.of(truth);
        List<TensorSpec> tensors = new ArrayList<>();
        columns.forEach(column -> tensors.add(column.column().spec(column.tensor())));
        this.spec = new BatchSpec(tensors);
        this.gather = new TruthGather(columns, spec, anchors);
        this.collation = gather.newCollation();
    }

    /** Anchors at these seconds of one episode; frames are {@code frameSeconds} apart. */
    public static TruthAnchors at(TruthBinding binding, double frameSeconds, double... anchors) {
        return new TruthAnchors() {
            @Override
            public TruthBinding truth(long sample) {
                return binding;
            }

            @Override
            public double seconds(long sample) {
                return anchors[(int) sample];
            }

            @Override
            public double frameSeconds(long sample, int offset) {
                return anchors[(int) sample] + offset * frameSeconds;
            }
        };
    }

    public static TruthRun over(EpisodeTruth truth, Map<String, Column> columns, double tolerance, double... anchors)
            throws IOException {
        return new TruthRun(columns, at(TruthBinding.of(truth, TruthColumn.of(columns), tolerance), 0.1, anchors));
    }

    /** One batch at these anchors, whose frames are 0.1 s apart, with a tolerance of 0.05 s. */
    public static Memory gather(EpisodeTruth truth, Map<String, Column> columns, double... anchors) throws IOException {
        try (TruthRun run = over(truth, columns, 0.05, anchors)) {
            return run.batch(LongStream.range(0, anchors.length).toArray());
        }
    }

    public Memory batch(long... samples) throws IOException {
        Memory memory = new Memory(spec, samples.length);
        fill(memory, samples);
        return memory;
    }

    public void fill(Memory memory, long... samples) throws IOException {
        ReadRequest request = gather.request(samples, samples.length);
        ByteBuffer bytes = request == null ? null : read(request);
        collation.collate(samples, samples.length, request, bytes, memory);
    }

    public static ByteBuffer read(ReadRequest request) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) request.totalLength());
        for (int i = 0; i < request.ranges(); i++) {
            bytes.limit(bytes.position() + request.length(i));
            request.blob(i).read(request.offset(i), bytes);
        }
        return bytes.rewind();
    }

    @Override
    public void close() {
        collation.close();
    }

    /** A batch in plain memory, filled with 0x5A so that what nobody wrote is seen. */
    public static final class Memory implements BatchTarget {
        private final BatchSpec spec;
        private final int rows;
        private final List<ByteBuffer> dense = new ArrayList<>();
        private final List<Rows> ragged = new ArrayList<>();
        public final Map<Integer, String> failures = new TreeMap<>();

        public Memory(BatchSpec spec, int rows) {
            this.spec = spec;
            this.rows = rows;
            for (TensorSpec tensor : spec.tensors()) {
                ByteBuffer memory = ByteBuffer.allocateDirect(tensor.isDense() ? rows * tensor.bytes() : 0);
                while (memory.hasRemaining()) {
                    memory.put((byte) 0x5A);
                }
                dense.add(memory.rewind().order(ByteOrder.nativeOrder()));
                ragged.add(new Rows());
            }
        }

        public ByteBuffer tensor(String name) {
            int at = spec.indexOf(name);
            return spec.tensors().get(at).isDense()
                    ? dense.get(at)
                    : ragged.get(at).values.duplicate().flip().order(ByteOrder.nativeOrder());
        }

        /** The bytes of one row of a ragged or text tensor. */
        public ByteBuffer row(String name, int row) {
            Rows of = ragged.get(spec.indexOf(name));
            int from = row == 0 ? 0 : of.ends.get(row - 1);
            return of.values.slice(from, of.ends.get(row) - from).order(ByteOrder.nativeOrder());
        }

        /** Everything that was written: dense bytes, then ragged bytes and their ends, column by column. */
        public List<Object> contents() {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < dense.size(); i++) {
                all.add(dense.get(i).rewind());
                all.add(ragged.get(i).values.duplicate().flip());
                all.add(List.copyOf(ragged.get(i).ends));
            }
            return all;
        }

        public String text(String name, int row) {
            return StandardCharsets.UTF_8.decode(row(name, row)).toString();
        }

        public int endedRows(String name) {
            return ragged.get(spec.indexOf(name)).ends.size();
        }

        public void reset() {
            ragged.forEach(Rows::reset);
            failures.clear();
        }

        @Override
        public int rows() {
            return rows;
        }

        @Override
        public ByteBuffer dense(int column) {
            return dense.get(column);
        }

        @Override
        public RaggedWriter ragged(int column) {
            return ragged.get(column);
        }

        @Override
        public void fail(int row, SampleException why) {
            failures.putIfAbsent(row, String.valueOf(why.getMessage()));
        }

        @Override
        public boolean hasFailed(int row) {
            return failures.containsKey(row);
        }
    }

    private static final class Rows implements RaggedWriter {
        private ByteBuffer values = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        private final List<Integer> ends = new ArrayList<>();

        @Override
        public ByteBuffer reserve(int bytes) {
            if (values.remaining() < bytes) {
                ByteBuffer larger = ByteBuffer.allocateDirect(2 * (values.position() + bytes));
                values = larger.put(values.flip()).order(ByteOrder.nativeOrder());
            }
            return values;
        }

        @Override
        public void endRow() {
            ends.add(values.position());
        }

        void reset() {
            values.clear();
            ends.clear();
        }
    }

    public static @Nullable String failure(Memory memory, int row) {
        return memory.failures.get(row);
    }
}
