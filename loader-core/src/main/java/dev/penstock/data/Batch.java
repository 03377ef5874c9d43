package dev.penstock.data;

import java.util.List;

/**
 * N samples as named tensors in off-heap memory.
 *
 * <p><b>Ownership.</b> A batch that an iterator returned is borrowed: the iterator takes it back at its following
 * {@code next()} or {@code hasNext()}-then-{@code next()}, at the end of the epoch, or when the loader closes. To keep
 * it longer call {@link #retain()} and, when done, {@link #close()} on what it returned. Use after release throws
 * {@link IllegalStateException}.
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

    /** Keeps the batch beyond the following {@code next()}. Each call needs one {@link #close()} on its result. */
    Batch retain();

    /** Gives a retained batch back; on a batch still borrowed from an iterator it gives it back early. Idempotent. */
    @Override
    void close();
}
