package dev.penstock.spi;

import dev.penstock.data.BatchSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dataset with a view applied: samples numbered from 0, in blocks (episode, file or shard) of consecutive numbers.
 * Thread-safe; the loader that binds it closes it.
 */
public interface SampleSource extends AutoCloseable {

    /** Changes when the dataset's content, as far as this view sees it, does; not when its address does. */
    String fingerprint();

    /** The tensors of a batch. */
    BatchSpec spec();

    /** The number of samples. */
    long size();

    /** The number of blocks. */
    int blocks();

    /** First sample of {@code block}; {@code blockStart(blocks())} is {@link #size()}. */
    long blockStart(int block);

    /** Which sample it is, for messages. */
    SampleIdentity identify(long sample);

    /**
     * The pieces of decoding for some rows of a batch: rows {@code rows[0]} to {@code rows[count - 1]}, where row
     * {@code r} is to hold sample {@code samples[r]}. The pieces can run at the same time, in any order. No I/O,
     * microseconds; empty in a source without video.
     */
    List<? extends DecodeWork> plan(long[] samples, int[] rows, int count);

    /** The bytes that the collator needs for a batch of the first {@code rows} of {@code samples}, or null. */
    @Nullable
    ReadRequest truth(long[] samples, int rows);

    /** A decoder for one thread. */
    SampleDecoder newDecoder();

    /** A collator for one thread. */
    SampleCollator newCollator();

    /** The stores that its bytes come from, each once, for the report. */
    default List<BlobStore> stores() {
        return List.of();
    }

    /** The most bytes that one {@link DecodeWork} of this source can ask for; the memory check uses it. */
    long largestRead();

    /** Bytes of native scratch that one decoder may hold; the memory check uses it. */
    long decoderScratch();

    @Override
    void close();
}
