package dev.penstock.decode.truth;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
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
import org.jspecify.annotations.Nullable;

/** Runs the truth of one batch the way that the engine does: request, read, collate, into plain memory. */
final class TruthRun implements AutoCloseable {
    final TruthGather gather;
    final TruthCollation collation;
    private final BatchSpec spec;

    TruthRun(Map<String, Column> truth, TruthAnchors anchors) {
        List<TruthColumn> columns = TruthColumn.of(truth);
        List<TensorSpec> tensors = new ArrayList<>();
        columns.forEach(column -> tensors.add(column.column().spec(column.tensor())));
        this.spec = new BatchSpec(tensors);
        this.gather = new TruthGather(columns, spec, anchors);
        this.collation = gather.newCollation();
    }

    /** Anchors at these seconds of one episode; frames are {@code frameSeconds} apart. */
    static TruthAnchors at(TruthBinding binding, double frameSeconds, double... anchors) {
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

    static TruthRun over(EpisodeTruth truth, Map<String, Column> columns, double tolerance, double... anchors)
            throws IOException {
        return new TruthRun(columns, at(TruthBinding.of(truth, TruthColumn.of(columns), tolerance), 0.1, anchors));
    }

    Memory batch(long... samples) throws IOException {
        Memory memory = new Memory(spec, samples.length);
        fill(memory, samples);
        return memory;
    }

    void fill(Memory memory, long... samples) throws IOException {
        ReadRequest request = gather.request(samples, samples.length);
        ByteBuffer bytes = request == null ? null : read(request);
        collation.collate(samples, samples.length, request, bytes, memory);
    }

    static ByteBuffer read(ReadRequest request) throws IOException {
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
    static final class Memory implements BatchTarget {
        private final BatchSpec spec;
        private final int rows;
        private final List<ByteBuffer> dense = new ArrayList<>();
        private final List<Rows> ragged = new ArrayList<>();
        final Map<Integer, String> failures = new TreeMap<>();

        Memory(BatchSpec spec, int rows) {
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

        ByteBuffer tensor(String name) {
            int at = spec.indexOf(name);
            return spec.tensors().get(at).isDense()
                    ? dense.get(at)
                    : ragged.get(at).values.duplicate().flip().order(ByteOrder.nativeOrder());
        }

        /** The bytes of one row of a ragged or text tensor. */
        ByteBuffer row(String name, int row) {
            Rows of = ragged.get(spec.indexOf(name));
            int from = row == 0 ? 0 : of.ends.get(row - 1);
            return of.values.slice(from, of.ends.get(row) - from).order(ByteOrder.nativeOrder());
        }

        String text(String name, int row) {
            return StandardCharsets.UTF_8.decode(row(name, row)).toString();
        }

        int endedRows(String name) {
            return ragged.get(spec.indexOf(name)).ends.size();
        }

        void reset() {
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

    static @Nullable String failure(Memory memory, int row) {
        return memory.failures.get(row);
    }
}
