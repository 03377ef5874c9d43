package dev.penstock;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.Blob;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A source whose blobs are arithmetic: byte {@code i} of one is {@code (i + tag) mod 251}. Decoding writes the first byte
 * read for a sample into the dense tensor, collating appends {@code sample mod 3} copies of its second byte.
 */
class CountedSource implements SampleSource {
    private final String name;
    private final int tag;
    private final long[] starts;

    CountedSource(String name, int tag, long... blockSizes) {
        this.name = name;
        this.tag = tag;
        this.starts = new long[blockSizes.length + 1];
        for (int i = 0; i < blockSizes.length; i++) {
            starts[i + 1] = starts[i] + blockSizes[i];
        }
    }

    static CountedSource even(int blocks, int length) {
        return new CountedSource(
                "even", 0, LongStream.range(0, blocks).map(i -> length).toArray());
    }

    /** What byte {@code at} of this source's blob holds. */
    int byteAt(long at) {
        return (int) ((at + tag) % 251);
    }

    @Override
    public String fingerprint() {
        return name + tag + size();
    }

    @Override
    public BatchSpec spec() {
        return new BatchSpec(
                List.of(TensorSpec.dense("first", ElementType.UINT8), TensorSpec.ragged("second", ElementType.UINT8)));
    }

    @Override
    public long size() {
        return starts[starts.length - 1];
    }

    @Override
    public int blocks() {
        return starts.length - 1;
    }

    @Override
    public long blockStart(int block) {
        return starts[block];
    }

    @Override
    public SampleIdentity identify(long sample) {
        return new SampleIdentity(name, sample, "episode", sample);
    }

    private final class Ranges implements DecodeWork {
        private final long[] offsets;
        private final int[] rows;

        Ranges(long[] offsets, int[] rows) {
            this.offsets = offsets;
            this.rows = rows;
        }

        @Override
        public int rows() {
            return rows.length;
        }

        @Override
        public int row(int i) {
            return rows[i];
        }

        @Override
        public String describe() {
            return name;
        }

        @Override
        public int ranges() {
            return offsets.length;
        }

        @Override
        public Blob blob(int i) {
            return new Blob() {
                @Override
                public URI uri() {
                    return URI.create("counted:" + name);
                }

                @Override
                public long size() {
                    return Long.MAX_VALUE;
                }

                @Override
                public String identity() {
                    return name;
                }

                @Override
                public void read(long offset, ByteBuffer target) {
                    for (long at = offset; target.hasRemaining(); at++) {
                        target.put((byte) byteAt(at));
                    }
                }
            };
        }

        @Override
        public long offset(int i) {
            return offsets[i];
        }

        @Override
        public int length(int i) {
            return 1;
        }
    }

    @Override
    public List<? extends DecodeWork> plan(long[] samples, int[] rows, int count) {
        List<DecodeWork> works = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            works.add(new Ranges(new long[] {samples[rows[i]]}, new int[] {rows[i]}));
        }
        return works;
    }

    @Override
    public ReadRequest truth(long[] samples, int rows) {
        long[] offsets = new long[rows];
        for (int row = 0; row < rows; row++) {
            offsets[row] = samples[row] + 1;
        }
        return new Ranges(offsets, new int[0]);
    }

    @Override
    public SampleDecoder newDecoder() {
        return new SampleDecoder() {
            @Override
            public void decode(DecodeWork work, ByteBuffer bytes, BatchTarget target) {
                target.dense(0).put(work.row(0), bytes.get(bytes.position()));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SampleCollator newCollator() {
        return new SampleCollator() {
            @Override
            public void collate(
                    long[] samples,
                    int rows,
                    @Nullable ReadRequest request,
                    @Nullable ByteBuffer bytes,
                    BatchTarget target)
                    throws SampleException {
                if (bytes == null || target.rows() != rows) {
                    throw new SampleException("no bytes, or another batch's rows", null);
                }
                RaggedWriter writer = target.ragged(1);
                for (int row = 0; row < rows; row++) {
                    ByteBuffer values = writer.reserve(3);
                    for (int copy = 0; copy < samples[row] % 3; copy++) {
                        values.put(bytes.get(bytes.position() + row));
                    }
                    writer.endRow();
                }
            }
        };
    }

    @Override
    public long largestRead() {
        return 1;
    }

    @Override
    public long decoderScratch() {
        return 10;
    }

    @Override
    public void close() {}
}
