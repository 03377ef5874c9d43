package dev.penstock;

import dev.penstock.data.BatchSpec;
import dev.penstock.engine.Keys;
import dev.penstock.engine.MixOrder;
import dev.penstock.engine.MixPattern;
import dev.penstock.engine.SampleOrder;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a mix as one: samples and blocks numbered one source after the other. Each piece of work goes to the
 * decoder and collator of the source that it came from. Thread-safe; closing it closes the sources.
 */
final class MixSource implements SampleSource {
    private static final long DATASET = 0xD5;

    private final Mix mix;
    private final List<SampleSource> sources;
    private final MixPattern pattern;
    /** First sample of each source, and their number at the end. */
    private final long[] starts;
    /** First block of each source, and their number at the end. */
    private final int[] blockStarts;

    MixSource(Mix mix, List<SampleSource> sources) {
        this.mix = mix;
        this.sources = List.copyOf(sources);
        this.pattern = mix.pattern();
        this.starts = new long[sources.size() + 1];
        this.blockStarts = new int[sources.size() + 1];
        for (int i = 0; i < sources.size(); i++) {
            starts[i + 1] = starts[i] + sources.get(i).size();
            blockStarts[i + 1] = blockStarts[i] + sources.get(i).blocks();
        }
    }

    /** Whether the order depends on the batch size. */
    boolean byBatch() {
        return mix.by() == Mix.By.BATCH;
    }

    /** The order of an epoch. */
    SampleOrder order(Shuffle shuffle, int epoch, int batchSize) {
        int unit = byBatch() ? batchSize : 1;
        long[] sizes = sources.stream().mapToLong(SampleSource::size).toArray();
        return new MixOrder(
                pattern,
                sizes,
                unit,
                turns(sizes, unit),
                epoch,
                (dataset, pass) ->
                        shuffle.orderOfPass(sources.get(dataset), Keys.of(shuffle.seed(), DATASET, dataset), pass));
    }

    private long turns(long[] sizes, int unit) {
        if (mix.stop() == Mix.Stop.LENGTH) {
            return ceilDiv(mix.length(), unit);
        }
        boolean first = mix.stop() == Mix.Stop.FIRST_EXHAUSTED;
        long turns = first ? Long.MAX_VALUE : 0;
        for (int i = 0; i < sizes.length; i++) {
            if (first && sizes[i] < unit) {
                throw new IllegalArgumentException(mix.datasetName(i) + " has " + sizes[i]
                        + " samples, not one whole batch of " + unit
                        + ", so a mix by batch until the first is exhausted is empty; use smaller batches, mix by"
                        + " sample or choose another stop rule");
            }
            long until = pattern.turnsUntil(i, first ? sizes[i] / unit : ceilDiv(sizes[i], unit));
            turns = first ? Math.min(turns, until) : Math.max(turns, until);
        }
        return turns;
    }

    @Override
    public String fingerprint() {
        StringBuilder all = new StringBuilder("mix ").append(mix.rule());
        sources.forEach(source -> all.append(' ').append(source.fingerprint()));
        return all.toString();
    }

    @Override
    public BatchSpec spec() {
        return sources.get(0).spec();
    }

    @Override
    public long size() {
        return starts[sources.size()];
    }

    @Override
    public int blocks() {
        return blockStarts[sources.size()];
    }

    @Override
    public long blockStart(int block) {
        if (block == blocks()) {
            return size();
        }
        int source = 0;
        while (blockStarts[source + 1] <= block) {
            source++;
        }
        return starts[source] + sources.get(source).blockStart(block - blockStarts[source]);
    }

    @Override
    public SampleIdentity identify(long sample) {
        int source = sourceOf(sample);
        SampleIdentity own = sources.get(source).identify(sample - starts[source]);
        return new SampleIdentity(own.dataset(), sample, own.episode(), own.anchorSeconds());
    }

    @Override
    public List<? extends DecodeWork> plan(long[] samples, int[] rows, int count) {
        List<DecodeWork> all = new ArrayList<>();
        for (int source = 0; source < sources.size(); source++) {
            long[] own = new long[samples.length];
            int[] ownRows = new int[count];
            int ownCount = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                if (sourceOf(samples[row]) == source) {
                    own[row] = samples[row] - starts[source];
                    ownRows[ownCount++] = row;
                }
            }
            if (ownCount > 0) {
                for (DecodeWork work : sources.get(source).plan(own, ownRows, ownCount)) {
                    all.add(new MixWork(source, work));
                }
            }
        }
        return all;
    }

    @Override
    public @Nullable ReadRequest truth(long[] samples, int rows) {
        List<MixRequest.Run> runs = new ArrayList<>();
        boolean any = false;
        for (int from = 0; from < rows; ) {
            int to = runEnd(samples, from, rows);
            ReadRequest request = sources.get(sourceOf(samples[from])).truth(ownSamples(samples, from, to), to - from);
            any |= request != null;
            runs.add(new MixRequest.Run(request));
            from = to;
        }
        return any ? new MixRequest(runs) : null;
    }

    @Override
    public SampleDecoder newDecoder() {
        return new MixDecoder(sources);
    }

    @Override
    public SampleCollator newCollator() {
        return new MixCollator(
                this, sources.stream().map(SampleSource::newCollator).toList());
    }

    /** The end of the run of rows that are of the same source as row {@code from}. */
    int runEnd(long[] samples, int from, int rows) {
        int source = sourceOf(samples[from]);
        int to = from + 1;
        while (to < rows && sourceOf(samples[to]) == source) {
            to++;
        }
        return to;
    }

    /** The samples of a run in their own source's numbers. */
    long[] ownSamples(long[] samples, int from, int to) {
        long start = starts[sourceOf(samples[from])];
        long[] own = Arrays.copyOfRange(samples, from, to);
        for (int i = 0; i < own.length; i++) {
            own[i] -= start;
        }
        return own;
    }

    int sourceOf(long sample) {
        int source = 0;
        while (starts[source + 1] <= sample) {
            source++;
        }
        return source;
    }

    @Override
    public List<BlobStore> stores() {
        return sources.stream()
                .flatMap(source -> source.stores().stream())
                .distinct()
                .toList();
    }

    @Override
    public long largestRead() {
        return sources.stream().mapToLong(SampleSource::largestRead).max().orElse(0);
    }

    /** A thread may come to hold a decoder of each source. */
    @Override
    public long decoderScratch() {
        return sources.stream().mapToLong(SampleSource::decoderScratch).sum();
    }

    @Override
    public void close() {
        sources.forEach(SampleSource::close);
    }

    private static long ceilDiv(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
