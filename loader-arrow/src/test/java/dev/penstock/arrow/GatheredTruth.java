package dev.penstock.arrow;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One batch of truth, gathered as the engine does it: request, read, collate, into plain memory. */
final class GatheredTruth implements BatchTarget {
    private final int rows;
    private final List<ByteBuffer> dense = new ArrayList<>();
    private final List<Values> ragged = new ArrayList<>();
    final Map<Integer, String> failures = new TreeMap<>();

    private GatheredTruth(BatchSpec spec, int rows) {
        this.rows = rows;
        for (TensorSpec tensor : spec.tensors()) {
            dense.add(ByteBuffer.allocateDirect(tensor.isDense() ? rows * tensor.bytes() : 0)
                    .order(ByteOrder.nativeOrder()));
            ragged.add(new Values());
        }
    }

    static GatheredTruth of(EpisodeTruth truth, Map<String, Column> view, double... anchors) throws IOException {
        List<TruthColumn> columns = TruthColumn.of(view);
        TruthBinding binding = TruthBinding.of(truth, columns, 0.05);
        BatchSpec spec = new BatchSpec(
                columns.stream().map(c -> c.column().spec(c.tensor())).toList());
        TruthAnchors at = new TruthAnchors() {
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
                return anchors[(int) sample] + 0.1 * offset;
            }
        };
        TruthGather gather = new TruthGather(columns, spec, at);
        GatheredTruth batch = new GatheredTruth(spec, anchors.length);
        long[] samples = new long[anchors.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = i;
        }
        ReadRequest request = gather.request(samples, samples.length);
        try (TruthCollation collation = gather.newCollation()) {
            collation.collate(samples, samples.length, request, request == null ? null : read(request), batch);
        }
        return batch;
    }

    private static ByteBuffer read(ReadRequest request) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) request.totalLength());
        for (int i = 0; i < request.ranges(); i++) {
            bytes.limit(bytes.position() + request.length(i));
            request.blob(i).read(request.offset(i), bytes);
        }
        return bytes.rewind();
    }

    /** Everything that was written: dense bytes, then ragged bytes and their ends, column by column. */
    List<Object> contents() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < dense.size(); i++) {
            all.add(dense.get(i).rewind());
            all.add(ragged.get(i).bytes.duplicate().flip());
            all.add(List.copyOf(ragged.get(i).ends));
        }
        return all;
    }

    ByteBuffer tensor(int column) {
        return dense.get(column);
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

    private static final class Values implements RaggedWriter {
        private ByteBuffer bytes = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        private final List<Integer> ends = new ArrayList<>();

        @Override
        public ByteBuffer reserve(int more) {
            if (bytes.remaining() < more) {
                bytes = ByteBuffer.allocateDirect(2 * (bytes.position() + more))
                        .put(bytes.flip())
                        .order(ByteOrder.nativeOrder());
            }
            return bytes;
        }

        @Override
        public void endRow() {
            ends.add(bytes.position());
        }
    }
}
