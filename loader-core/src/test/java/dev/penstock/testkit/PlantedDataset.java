package dev.penstock.testkit;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.Blob;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A dataset with planted behaviour, for tests of the engine: its bytes and pixels are a function of the sample's number,
 * and each step can be made to fail, block or take long. Public fields are set before {@link #bind}.
 */
public final class PlantedDataset implements Dataset {
    /** The view that it serves. */
    public static final View VIEW = View.builder()
            .video("cam", Window.frames(2), Size.of(4, 3))
            .truth("number", Column.int64())
            .truth("list", Column.ragged(dev.penstock.data.ElementType.INT32))
            .truth("word", Column.text())
            .build();

    /** A step that may throw, wait or take long. */
    public interface Step {
        void on(long sample) throws Exception;
    }

    private static final int BYTES_PER_SAMPLE = 100;

    private final int samples;
    private final int blocks;
    /** Called for each read, before the bytes. */
    public Step onRead = sample -> {};
    /** How many bytes a read leaves out at its end, without saying so. */
    public java.util.function.LongToIntFunction leftOut = sample -> 0;
    /** Called for each decode, before the pixels. */
    public Step onDecode = sample -> {};
    /** Called for each row at collate. */
    public Step onCollate = sample -> {};
    /** Blobs read, sources closed, decoders open: for checks. */
    public final AtomicInteger reads = new AtomicInteger();
    /** Sources that were closed. */
    public final AtomicInteger closedSources = new AtomicInteger();
    /** Decoders that are open. */
    public final AtomicInteger openDecoders = new AtomicInteger();
    /** Pixels written by decoders. */
    public final AtomicInteger decodes = new AtomicInteger();

    public PlantedDataset(int samples, int blocks) {
        this.samples = samples;
        this.blocks = blocks;
    }

    @Override
    public String name() {
        return "planted";
    }

    @Override
    public SampleSource bind(View view) {
        return new Source(view.spec());
    }

    /** Throws what a checked step threw, as itself. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    private static void run(Step step, long sample) {
        try {
            step.on(sample);
        } catch (Exception e) {
            PlantedDataset.<RuntimeException>sneak(e);
        }
    }

    private record Memory(PlantedDataset set) implements Blob {
        @Override
        public URI uri() {
            return URI.create("memory:planted");
        }

        @Override
        public long size() {
            return (long) set.samples * BYTES_PER_SAMPLE;
        }

        @Override
        public String identity() {
            return "planted-" + set.samples;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            set.reads.incrementAndGet();
            long sample = offset / BYTES_PER_SAMPLE;
            run(set.onRead, sample);
            SplittableRandom random = new SplittableRandom(sample);
            int leave = set.leftOut.applyAsInt(sample);
            while (target.remaining() > leave) {
                target.put((byte) random.nextInt());
            }
        }
    }

    private record Work(Blob blob, long sample, int row) implements DecodeWork {
        @Override
        public int rows() {
            return 1;
        }

        @Override
        public int row(int i) {
            return row;
        }

        @Override
        public String describe() {
            return "cam of sample " + sample;
        }

        @Override
        public int ranges() {
            return 2;
        }

        @Override
        public Blob blob(int i) {
            return blob;
        }

        @Override
        public long offset(int i) {
            return sample * BYTES_PER_SAMPLE + 60L * i;
        }

        @Override
        public int length(int i) {
            return i == 0 ? 60 : 40;
        }
    }

    private final class Source implements SampleSource {
        private final BatchSpec spec;
        private final Blob blob = new Memory(PlantedDataset.this);

        Source(BatchSpec spec) {
            this.spec = spec;
        }

        @Override
        public String fingerprint() {
            return "planted-" + samples + "-" + blocks;
        }

        @Override
        public BatchSpec spec() {
            return spec;
        }

        @Override
        public long size() {
            return samples;
        }

        @Override
        public int blocks() {
            return blocks;
        }

        @Override
        public long blockStart(int block) {
            return (long) block * samples / blocks;
        }

        @Override
        public SampleIdentity identify(long sample) {
            return new SampleIdentity("planted", sample, "episode-" + sample % blocks, sample / 10.0);
        }

        @Override
        public List<DecodeWork> plan(long[] of, int[] rows, int count) {
            List<DecodeWork> work = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                work.add(new Work(blob, of[rows[i]], rows[i]));
            }
            return work;
        }

        @Override
        public @Nullable ReadRequest truth(long[] of, int rows) {
            return new Work(blob, of[0], 0);
        }

        @Override
        public SampleDecoder newDecoder() {
            openDecoders.incrementAndGet();
            return new Decoder(spec);
        }

        @Override
        public SampleCollator newCollator() {
            return new Collator(spec);
        }

        @Override
        public long largestRead() {
            return BYTES_PER_SAMPLE;
        }

        @Override
        public long decoderScratch() {
            return 1024;
        }

        @Override
        public void close() {
            closedSources.incrementAndGet();
        }
    }

    private final class Decoder implements SampleDecoder {
        private final TensorSpec spec;

        Decoder(BatchSpec spec) {
            this.spec = spec.tensors().get(0);
        }

        @Override
        public void decode(DecodeWork piece, ByteBuffer bytes, BatchTarget target) throws SampleException {
            Work work = (Work) piece;
            run(onDecode, work.sample);
            decodes.incrementAndGet();
            ByteBuffer pixels = target.dense(0);
            for (int i = 0; i < spec.bytes(); i++) {
                pixels.put(work.row * spec.bytes() + i, (byte) (bytes.get(i % BYTES_PER_SAMPLE) + i));
            }
        }

        @Override
        public void close() {
            openDecoders.decrementAndGet();
        }
    }

    private final class Collator implements SampleCollator {
        private final BatchSpec spec;

        Collator(BatchSpec spec) {
            this.spec = spec;
        }

        @Override
        public void collate(
                long[] of, int rows, @Nullable ReadRequest request, @Nullable ByteBuffer bytes, BatchTarget target) {
            RaggedWriter list = target.ragged(spec.indexOf("list"));
            RaggedWriter word = target.ragged(spec.indexOf("word"));
            for (int row = 0; row < rows; row++) {
                try {
                    onCollate.on(of[row]);
                } catch (SampleException e) {
                    target.fail(row, e);
                } catch (Exception e) {
                    PlantedDataset.<RuntimeException>sneak(e);
                }
                target.dense(spec.indexOf("number")).putLong(8 * row, of[row]);
                for (int i = 0; i < of[row] % 4; i++) {
                    list.reserve(4).putInt((int) of[row] * 10 + i);
                }
                list.endRow();
                byte[] text = ("sample " + of[row]).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                word.reserve(text.length).put(text);
                word.endRow();
            }
        }
    }

    /** A loader of it with batches of four, whose limits a slow machine does not reach. */
    public Loader.Builder loader() {
        return Loader.builder(this, VIEW)
                .batchSize(4)
                .nextTimeout(Duration.ofSeconds(30))
                .closeTimeout(Duration.ofSeconds(5));
    }

    /** The samples in batches of this dataset, in order. */
    public static List<Long> numbers(Iterable<Batch> batches) {
        List<Long> numbers = new ArrayList<>();
        for (Batch batch : batches) {
            ByteBuffer data = batch.tensor("number").data();
            while (data.hasRemaining()) {
                numbers.add(data.getLong());
            }
        }
        return numbers;
    }
}
