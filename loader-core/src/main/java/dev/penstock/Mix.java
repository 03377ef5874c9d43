package dev.penstock;

import dev.penstock.engine.MixPattern;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Several datasets as one, by weight. Immutable and thread-safe.
 *
 * <pre>{@code
 * Dataset both = Mix.of(city, 3).and(motorway, 1).stop(Mix.Stop.ALL_EXHAUSTED);
 * }</pre>
 *
 * <p>Three samples of {@code city} come for each of {@code motorway} in any stretch of the epoch, each dataset in the
 * order that the loader's {@link Shuffle} gives it. Deterministic, sharded and resumed like any dataset. A dataset that
 * an epoch does not use up goes on in the next epoch where it stopped; one that is used up before the epoch ends starts
 * again in another order.
 */
public final class Mix implements Dataset {

    /** What a turn takes. */
    public enum By {
        /** One sample: every batch has the weights, to within one sample. */
        SAMPLE,
        /** One batch: every batch is of one dataset. The order then depends on the batch size. */
        BATCH
    }

    /** Where an epoch ends. */
    public enum Stop {
        /** When the first dataset has given as many samples as it has (by batch: as many whole batches). */
        FIRST_EXHAUSTED,
        /** When every dataset has given as many samples as it has; the smaller ones, for their weight, repeat. */
        ALL_EXHAUSTED,
        /** After a given number of samples; see {@link Mix#length}. */
        LENGTH
    }

    private final List<Dataset> datasets;
    private final List<Double> weights;
    private final By by;
    private final Stop stop;
    private final long length;

    private Mix(List<Dataset> datasets, List<Double> weights, By by, Stop stop, long length) {
        this.datasets = List.copyOf(datasets);
        this.weights = List.copyOf(weights);
        this.by = by;
        this.stop = stop;
        this.length = length;
        pattern(); // refuses wrong weights here, where they are given
    }

    /** A mix of one dataset so far, by sample, until the first is exhausted. */
    public static Mix of(Dataset dataset, double weight) {
        return new Mix(List.of(dataset), List.of(weight), By.SAMPLE, Stop.FIRST_EXHAUSTED, 0);
    }

    /**
     * This mix and one more dataset.
     *
     * @param weight its share against the sum of all weights; above 0
     */
    public Mix and(Dataset dataset, double weight) {
        List<Dataset> more = new ArrayList<>(datasets);
        List<Double> moreWeights = new ArrayList<>(weights);
        more.add(dataset);
        moreWeights.add(weight);
        return new Mix(more, moreWeights, by, stop, length);
    }

    /** The same datasets, mixed by sample or by batch. */
    public Mix by(By turn) {
        return new Mix(datasets, weights, turn, stop, length);
    }

    /** The same mix with another end; for {@link Stop#LENGTH} use {@link #length}. */
    public Mix stop(Stop rule) {
        if (rule == Stop.LENGTH) {
            throw new IllegalArgumentException("stop LENGTH needs a length: use length(samples)");
        }
        return new Mix(datasets, weights, by, rule, 0);
    }

    /** The same mix with epochs of {@code samples} samples; by batch: rounded up to whole batches. */
    public Mix length(long samples) {
        if (samples < 1) {
            throw new IllegalArgumentException("mix length was " + samples + ", must be at least 1");
        }
        return new Mix(datasets, weights, by, Stop.LENGTH, samples);
    }

    @Override
    public String name() {
        StringBuilder name = new StringBuilder("mix of ");
        for (int i = 0; i < datasets.size(); i++) {
            name.append(i == 0 ? "" : ", ")
                    .append(datasets.get(i).name())
                    .append(" (")
                    .append(weights.get(i))
                    .append(')');
        }
        return name.toString();
    }

    @Override
    public SampleSource bind(View view) throws IOException {
        List<SampleSource> sources = new ArrayList<>();
        try {
            for (Dataset dataset : datasets) {
                sources.add(dataset.bind(view));
                checkLast(sources);
            }
            return new MixSource(this, sources);
        } catch (IOException | RuntimeException e) {
            sources.forEach(SampleSource::close);
            throw e;
        }
    }

    private void checkLast(List<SampleSource> sources) throws DatasetException {
        int last = sources.size() - 1;
        String which =
                "dataset " + (last + 1) + " of a mix, " + datasets.get(last).name() + ", ";
        if (sources.get(last).size() == 0) {
            throw new DatasetException(which + "has no sample for this view; leave it out or widen the view's rules");
        }
        if (!sources.get(last).spec().equals(sources.get(0).spec())) {
            throw new DatasetException(which + "gives other tensors than the first: "
                    + sources.get(last).spec() + " instead of " + sources.get(0).spec());
        }
    }

    MixPattern pattern() {
        return MixPattern.of(weights.stream().mapToDouble(Double::doubleValue).toArray());
    }

    By by() {
        return by;
    }

    Stop stop() {
        return stop;
    }

    long length() {
        return length;
    }

    String datasetName(int dataset) {
        return datasets.get(dataset).name();
    }

    /** What of the mix itself fixes the order. */
    String rule() {
        return by + " " + stop + " " + length + " " + weights;
    }
}
