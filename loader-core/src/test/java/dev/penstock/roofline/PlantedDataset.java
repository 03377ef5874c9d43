package dev.penstock.roofline;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.Blob;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Column;
import dev.penstock.view.View;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Samples whose read, decode and collate cost what was planted, in milliseconds: off the CPU ("wait") or on it ("cpu").
 * One piece a sample; runs through the real engine.
 */
final class PlantedDataset implements Dataset {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Object GLOBAL = new Object();

    static final View VIEW = View.builder().truth("value", Column.float32()).build();

    double readWait = 0.1;
    double decodeWait = 0.1;
    double decodeCpu;
    double collateWait = 0.1;
    boolean globalLock;
    /** Every so many samples one takes {@link #slowDecodeWait}; 0 for none. */
    int slowEvery;

    double slowDecodeWait;

    @Override
    public String name() {
        return "planted";
    }

    @Override
    public SampleSource bind(View view) {
        return new Source();
    }

    /** Blocks without using the CPU. */
    static void idle(double millis) {
        long until = System.nanoTime() + Math.round(1e6 * millis);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Uses that much CPU time of this thread, however long the machine takes to give it. */
    static void burn(double millis) {
        long until = THREADS.getCurrentThreadCpuTime() + Math.round(1e6 * millis);
        while (THREADS.getCurrentThreadCpuTime() < until) {
            Thread.onSpinWait();
        }
    }

    private final class Source implements SampleSource {
        private final BatchSpec spec = new BatchSpec(List.of(TensorSpec.dense("value", ElementType.FLOAT32)));
        private final Blob blob = new SlowBlob();

        @Override
        public String fingerprint() {
            return "planted";
        }

        @Override
        public BatchSpec spec() {
            return spec;
        }

        @Override
        public long size() {
            return 480;
        }

        @Override
        public int blocks() {
            return 1;
        }

        @Override
        public long blockStart(int block) {
            return block == 0 ? 0 : size();
        }

        @Override
        public SampleIdentity identify(long sample) {
            return new SampleIdentity(name(), sample, "planted", sample);
        }

        @Override
        public List<? extends DecodeWork> plan(long[] samples, int[] rows, int count) {
            List<Piece> pieces = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                pieces.add(new Piece(blob, samples[rows[i]], rows[i]));
            }
            return pieces;
        }

        @Override
        public @Nullable ReadRequest truth(long[] samples, int rows) {
            return null;
        }

        @Override
        public SampleDecoder newDecoder() {
            return new SampleDecoder() {
                @Override
                public void decode(DecodeWork work, ByteBuffer bytes, BatchTarget target) {
                    long sample = ((Piece) work).sample();
                    if (globalLock) {
                        synchronized (GLOBAL) {
                            cost(sample);
                        }
                    } else {
                        cost(sample);
                    }
                    target.dense(0).putFloat(4 * work.row(0), (float) sample);
                }

                @Override
                public void close() {}
            };
        }

        private void cost(long sample) {
            boolean slow = slowEvery > 0 && sample % slowEvery == slowEvery - 1;
            idle(slow ? slowDecodeWait : decodeWait);
            burn(decodeCpu);
        }

        @Override
        public SampleCollator newCollator() {
            return (samples, rows, request, bytes, target) -> idle(collateWait);
        }

        @Override
        public long largestRead() {
            return 64;
        }

        @Override
        public long decoderScratch() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private record Piece(Blob blob, long sample, int onlyRow) implements DecodeWork {
        @Override
        public int rows() {
            return 1;
        }

        @Override
        public int row(int i) {
            return onlyRow;
        }

        @Override
        public String describe() {
            return "planted sample " + sample;
        }

        @Override
        public int ranges() {
            return 1;
        }

        @Override
        public Blob blob(int range) {
            return blob;
        }

        @Override
        public long offset(int range) {
            return 0;
        }

        @Override
        public int length(int range) {
            return 64;
        }
    }

    private final class SlowBlob implements Blob {
        @Override
        public URI uri() {
            return URI.create("planted:blob");
        }

        @Override
        public long size() {
            return 64;
        }

        @Override
        public String identity() {
            return "planted";
        }

        @Override
        public void read(long offset, ByteBuffer target) {
            idle(readWait);
            target.position(target.limit());
        }
    }
}
