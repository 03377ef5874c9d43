package dev.penstock.data;

import java.util.List;

/**
 * N samples as named tensors in off-heap memory.
 *
 * <p><b>Ownership.</b> A batch that an iterator returned is borrowed: the iterator takes it back at its following
 * {@code next()}, at the end of the epoch, or when the loader closes. {@link #retain()} keeps it longer: each call needs
 * one {@link #close()}. Use after release throws {@link IllegalStateException}; memory of a retained batch outlives the
 * loader until it is closed.
 *
 * <p>Reading is safe from several threads; {@link #retain()} and {@link #close()} may be called from any thread.
 */
public interface Batch extends AutoCloseable {

    /** The number of samples N: the batch size, or less for the last batch of an epoch or after skipped samples. */
    int size();

    /** The epoch that the batch belongs to, from 0. */
    int epoch();

    /** The batch's position in its epoch on this rank, from 0. */
    long number();

    /** The tensors in the order of the view. */
    List<Tensor> tensors();

    /**
     * The tensor called {@code name}.
     *
     * @throws IllegalArgumentException when the view has none of that name; the message lists the names
     */
    Tensor tensor(String name);

    /** The dataset's number of the sample in {@code row}. */
    long sampleAt(int row);

    /** Whether {@code row} is padding (see the loader's shard rule), to be left out of loss and metrics. */
    boolean isPadding(int row);

    /** Keeps the batch beyond the following {@code next()}; each call needs one {@link #close()}. Returns this batch. */
    Batch retain();

    /** Undoes one {@link #retain()}; without one it gives a borrowed batch back early. Nothing happens once released. */
    @Override
    void close();
}
