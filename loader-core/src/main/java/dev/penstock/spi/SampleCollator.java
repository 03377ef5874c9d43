package dev.penstock.spi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Gathers the truth of a batch. Made for one collate thread, which is the only one that ever calls it. */
public interface SampleCollator extends AutoCloseable {

    /**
     * Fills every tensor that no {@link DecodeWork} fills: truth, masks, skews.
     *
     * @param samples the batch's samples; the first {@code rows} count
     * @param rows rows of the batch
     * @param request what {@link SampleSource#truth} gave, or null
     * @param bytes its ranges one behind the other, or null without a request
     */
    void collate(
            long[] samples, int rows, @Nullable ReadRequest request, @Nullable ByteBuffer bytes, BatchTarget target)
            throws SampleException;

    @Override
    default void close() {}
}
