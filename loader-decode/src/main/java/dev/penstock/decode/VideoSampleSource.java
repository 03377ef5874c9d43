package dev.penstock.decode;

import dev.penstock.data.BatchSpec;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthGather;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Episodes with a view applied. Blocks are episodes, in the dataset's order, without those that have no sample.
 *
 * <p>Immutable but for the spare planner; thread-safe. Memory: the clip indexes, and a few bytes for each episode.
 */
final class VideoSampleSource implements SampleSource {
    private final String dataset;
    private final View view;
    private final BatchSpec spec;
    private final WindowRule[] rules;
    private final TensorPlaces places;
    private final SampleIndex index;
    private final List<ClipFile> files;
    private final EpisodeTruths truths;
    private final @Nullable TruthGather gather;
    private final String fingerprint;
    private final long largestRead;
    private final DecodeLimits limits;
    private final String[] cameras;

    /** A planner that nobody uses now; taken and given back by {@link #plan}, so that its arrays are made once. */
    private final AtomicReference<@Nullable WorkPlanner> spare = new AtomicReference<>();

    /** Written by tests before they plan. */
    private volatile boolean grouping = true;

    VideoSampleSource(
            String dataset,
            View view,
            WindowRule[] rules,
            List<BoundEpisode> episodes,
            List<ClipFile> files,
            EpisodeTruths truths,
            long largestRead,
            DecodeLimits limits) {
        this.dataset = dataset;
        this.view = view;
        this.spec = view.spec();
        this.rules = rules;
        this.places = new TensorPlaces(view);
        this.index = new SampleIndex(episodes, view.edges());
        this.files = List.copyOf(files);
        this.truths = truths;
        this.gather = view.truth().isEmpty() ? null : new TruthGather(TruthColumn.of(view.truth()), spec, index);
        this.largestRead = largestRead;
        this.limits = limits;
        this.cameras = view.videos().stream().map(VideoColumn::camera).toArray(String[]::new);
        this.fingerprint = SourceFingerprint.of(view, episodes);
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public BatchSpec spec() {
        return spec;
    }

    @Override
    public long size() {
        return index.size();
    }

    @Override
    public int blocks() {
        return index.blocks();
    }

    @Override
    public long blockStart(int block) {
        return index.start(block);
    }

    @Override
    public SampleIdentity identify(long sample) {
        BoundEpisode episode = index.episode(index.blockOf(sample));
        return new SampleIdentity(dataset, sample, episode.id(), index.seconds(sample));
    }

    @Override
    public List<? extends DecodeWork> plan(long[] samples, int[] rows, int count) {
        if (cameras.length == 0) {
            return List.of();
        }
        WorkPlanner planner = spare.getAndSet(null);
        if (planner == null || planner.isGrouping() != grouping) {
            planner = new WorkPlanner(locator(), cameras, places.longestWindow(), largestRead, grouping);
        }
        List<ClipWork> works = planner.plan(samples, rows, count);
        spare.set(planner);
        return works;
    }

    @Override
    public @Nullable ReadRequest truth(long[] samples, int rows) {
        return gather == null ? null : gather.request(samples, rows);
    }

    @Override
    public SampleDecoder newDecoder() {
        return new ClipDecoder(view, locator(), places, limits);
    }

    @Override
    public SampleCollator newCollator() {
        return new TruthAndMaskCollator(locator(), places, gather == null ? null : gather.newCollation());
    }

    @Override
    public List<BlobStore> stores() {
        return files.stream()
                .map(file -> BlobStores.of(file.blob().uri()))
                .distinct()
                .toList();
    }

    @Override
    public long largestRead() {
        return largestRead;
    }

    @Override
    public long decoderScratch() {
        return DecoderScratch.of(files);
    }

    @Override
    public void close() {
        files.forEach(file -> file.blob().close());
        truths.close();
    }

    /** Whether windows that share a group of pictures are decoded together; on unless a test compares the two. */
    void group(boolean together) {
        grouping = together;
    }

    private SampleLocator locator() {
        return new SampleLocator(index, rules);
    }
}
