package dev.penstock.decode;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch filled on the test's thread: what the engine does, without its threads. Memory starts as 0x5A, so that a byte
 * that nobody wrote shows.
 */
final class TestBatch implements BatchTarget {
    private static final byte UNWRITTEN = 0x5A;

    private final BatchSpec spec;
    private final int rows;
    private final List<@Nullable ByteBuffer> dense = new ArrayList<>();
    private final Map<Integer, Ragged> ragged = new TreeMap<>();
    private final Map<Integer, SampleException> failures = new TreeMap<>();

    /** How many pieces of decoding the batch was cut into. */
    int pieces;

    private TestBatch(BatchSpec spec, int rows) {
        this.spec = spec;
        this.rows = rows;
        for (TensorSpec tensor : spec.tensors()) {
            dense.add(tensor.isDense() ? memory(rows * tensor.bytes()) : null);
            if (!tensor.isDense()) {
                ragged.put(dense.size() - 1, new Ragged());
            }
        }
    }

    private static ByteBuffer memory(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + 128) // an aligned slice loses some at both ends
                .alignedSlice(64)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, UNWRITTEN);
        }
        return buffer;
    }

    /** The batch of these samples, with one decoder and one collator. */
    static TestBatch of(SampleSource source, long... samples) throws IOException, SampleException {
        try (SampleDecoder decoder = source.newDecoder();
                SampleCollator collator = source.newCollator()) {
            return fill(source, decoder, collator, samples);
        }
    }

    /** The batch of these samples, with decoders that may have decoded other batches before. */
    static TestBatch fill(SampleSource source, SampleDecoder decoder, SampleCollator collator, long... samples)
            throws IOException, SampleException {
        TestBatch batch = new TestBatch(source.spec(), samples.length);
        int[] rows = IntStream.range(0, samples.length).toArray();
        for (DecodeWork work : source.plan(samples, rows, rows.length)) {
            batch.pieces++;
            if (work.totalLength() > source.largestRead()) {
                throw new AssertionError(work.describe() + " reads " + work.totalLength() + " bytes, the source said "
                        + source.largestRead());
            }
            try {
                decoder.decode(work, read(work), batch);
            } catch (SampleException e) {
                for (int i = 0; i < work.rows(); i++) {
                    batch.fail(work.row(i), e);
                }
            }
        }
        ReadRequest truth = source.truth(samples, samples.length);
        collator.collate(samples, samples.length, truth, truth == null ? null : read(truth), batch);
        return batch;
    }

    static ByteBuffer read(ReadRequest request) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) request.totalLength());
        for (int i = 0; i < request.ranges(); i++) {
            bytes.limit(bytes.position() + request.length(i));
            request.blob(i).read(request.offset(i), bytes);
        }
        return bytes.flip();
    }

    /** The failures by row. */
    Map<Integer, SampleException> failures() {
        return failures;
    }

    /** Mean of one channel of one frame of a uint8 THWC tensor. */
    double mean(String tensor, int row, int frame, int channel) {
        TensorSpec which = tensor(tensor);
        int height = which.shape().get(1);
        int width = which.shape().get(2);
        return mean(tensor, row, frame, channel, 0, 0, width, height);
    }

    /** Mean of one channel over a part of one frame of a uint8 THWC tensor. */
    double mean(String tensor, int row, int frame, int channel, int left, int top, int right, int bottom) {
        TensorSpec which = tensor(tensor);
        ByteBuffer pixels = bytes(tensor);
        int width = which.shape().get(2);
        int frameBytes = which.shape().get(1) * width * 3;
        long sum = 0;
        for (int y = top; y < bottom; y++) {
            int at = row * which.bytes() + frame * frameBytes + (y * width + left) * 3 + channel;
            for (int x = left; x < right; x++) {
                sum += pixels.get(at) & 0xFF;
                at += 3;
            }
        }
        return (double) sum / ((right - left) * (bottom - top));
    }

    /** All bytes of a dense tensor. */
    ByteBuffer bytes(String tensor) {
        ByteBuffer buffer = dense.get(spec.indexOf(tensor));
        if (buffer == null) {
            throw new AssertionError(tensor + " is not dense");
        }
        return buffer;
    }

    byte[] copy(String tensor) {
        ByteBuffer buffer = bytes(tensor);
        byte[] copy = new byte[buffer.capacity()];
        buffer.get(0, copy);
        return copy;
    }

    float[] floats(String tensor) {
        ByteBuffer buffer = bytes(tensor);
        float[] values = new float[buffer.capacity() / Float.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = buffer.getFloat(i * Float.BYTES);
        }
        return values;
    }

    List<String> texts(String tensor) {
        return ragged(spec.indexOf(tensor)).rows.stream()
                .map(row -> new String(row, StandardCharsets.UTF_8))
                .toList();
    }

    private TensorSpec tensor(String name) {
        return spec.tensors().get(spec.indexOf(name));
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public ByteBuffer dense(int column) {
        ByteBuffer buffer = dense.get(column);
        if (buffer == null) {
            throw new AssertionError(spec.tensors().get(column).name() + " is not dense");
        }
        return buffer;
    }

    @Override
    public Ragged ragged(int column) {
        Ragged writer = ragged.get(column);
        if (writer == null) {
            throw new AssertionError(spec.tensors().get(column).name() + " is dense");
        }
        return writer;
    }

    @Override
    public void fail(int row, SampleException why) {
        failures.putIfAbsent(row, why);
    }

    @Override
    public boolean hasFailed(int row) {
        return failures.containsKey(row);
    }

    /** Keeps each row's bytes. */
    static final class Ragged implements RaggedWriter {
        private final List<byte[]> rows = new ArrayList<>();
        private ByteBuffer open = ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder());

        @Override
        public ByteBuffer reserve(int bytes) {
            if (open.remaining() < bytes) {
                ByteBuffer larger = ByteBuffer.allocateDirect(open.position() + bytes + 1024)
                        .order(ByteOrder.nativeOrder());
                open = larger.put(open.flip());
            }
            return open;
        }

        @Override
        public void endRow() {
            byte[] row = new byte[open.position()];
            open.flip().get(row);
            open.clear();
            rows.add(row);
        }
    }
}
