package dev.penstock;

import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread's collators of the sources of a mix. Ragged rows are appended in order, so a batch is collated run by run
 * of rows of the same source; each collator sees its run as a batch of its own.
 */
final class MixCollator implements SampleCollator {
    private final MixSource source;
    private final List<SampleCollator> collators;

    MixCollator(MixSource source, List<SampleCollator> collators) {
        this.source = source;
        this.collators = collators;
    }

    @Override
    public void collate(
            long[] samples, int rows, @Nullable ReadRequest request, @Nullable ByteBuffer bytes, BatchTarget target)
            throws SampleException {
        int run = 0;
        int at = bytes == null ? 0 : bytes.position();
        for (int from = 0; from < rows; run++) {
            int to = source.runEnd(samples, from, rows);
            ReadRequest own = request == null
                    ? null
                    : ((MixRequest) request).runs().get(run).request();
            ByteBuffer ownBytes = null;
            if (own != null && bytes != null) {
                int length = Math.toIntExact(own.totalLength());
                ownBytes = bytes.slice(at, length).order(bytes.order());
                at += length;
            }
            BatchTarget part = from == 0 && to == rows ? target : new RunTarget(target, from, to - from);
            collators
                    .get(source.sourceOf(samples[from]))
                    .collate(source.ownSamples(samples, from, to), to - from, own, ownBytes, part);
            from = to;
        }
    }

    @Override
    public void close() {
        collators.forEach(SampleCollator::close);
    }

    /** Some consecutive rows of a batch as a batch. */
    private final class RunTarget implements BatchTarget {
        private final BatchTarget batch;
        private final int from;
        private final int rows;

        RunTarget(BatchTarget batch, int from, int rows) {
            this.batch = batch;
            this.from = from;
            this.rows = rows;
        }

        @Override
        public int rows() {
            return rows;
        }

        @Override
        public ByteBuffer dense(int column) {
            ByteBuffer whole = batch.dense(column);
            int bytes = Math.toIntExact(source.spec().tensors().get(column).bytes());
            return whole.slice(from * bytes, rows * bytes).order(whole.order());
        }

        @Override
        public RaggedWriter ragged(int column) {
            return batch.ragged(column);
        }

        @Override
        public void fail(int row, SampleException why) {
            batch.fail(from + row, why);
        }

        @Override
        public boolean hasFailed(int row) {
            return batch.hasFailed(from + row);
        }
    }
}
