package dev.penstock.decode;

import dev.penstock.decode.truth.TruthAnchors;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.view.EdgeRule;
import java.util.Arrays;
import java.util.List;

/** The samples of a source by number: which episode, which of its anchors. Immutable and thread-safe. */
final class SampleIndex implements TruthAnchors {
    private final BoundEpisode[] episodes;
    /** First sample of each episode, and the number of samples behind them. */
    private final long[] starts;

    private final EdgeRule edges;

    SampleIndex(List<BoundEpisode> episodes, EdgeRule edges) {
        this.episodes = episodes.toArray(new BoundEpisode[0]);
        this.starts = new long[this.episodes.length + 1];
        for (int e = 0; e < this.episodes.length; e++) {
            starts[e + 1] = starts[e] + this.episodes[e].anchors().count();
        }
        this.edges = edges;
    }

    long size() {
        return starts[episodes.length];
    }

    int blocks() {
        return episodes.length;
    }

    long start(int block) {
        return starts[block];
    }

    BoundEpisode episode(int block) {
        return episodes[block];
    }

    /**
     * The block that a sample is in.
     *
     * @throws IndexOutOfBoundsException when there is no such sample
     */
    int blockOf(long sample) {
        if (sample < 0 || sample >= size()) {
            throw new IndexOutOfBoundsException("sample " + sample + " of a source with " + size() + " samples");
        }
        int block = Arrays.binarySearch(starts, sample);
        return block < 0 ? -block - 2 : block;
    }

    private int anchorOf(int block, long sample) {
        return (int) (sample - starts[block]);
    }

    @Override
    public TruthBinding truth(long sample) {
        TruthBinding truth = episodes[blockOf(sample)].truth();
        if (truth == null) {
            throw new IllegalStateException("the view has no truth");
        }
        return truth;
    }

    @Override
    public double seconds(long sample) {
        int block = blockOf(sample);
        return episodes[block].anchorSeconds(anchorOf(block, sample));
    }

    /** The reference camera's frame on screen at the sample's anchor. */
    int frame(long sample) {
        int block = blockOf(sample);
        return episodes[block].anchorFrame(anchorOf(block, sample));
    }

    @Override
    public double frameSeconds(long sample, int offset) {
        BoundEpisode episode = episodes[blockOf(sample)];
        return BoundEpisode.frameSeconds(episode.master(), frame(sample) + offset, edges);
    }
}
