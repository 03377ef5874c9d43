package dev.penstock.spi;

import java.nio.ByteBuffer;

/** Turns bytes into pixels in the batch. Made for one decode thread, which is the only one that ever calls it. */
public interface SampleDecoder extends AutoCloseable {

    /**
     * Does one piece of work.
     *
     * @param bytes the work's ranges one behind the other, position 0; valid during the call only
     * @param target the batch; rows that can't be had are said with {@link BatchTarget#fail}
     * @throws SampleException when no row of the work can be had
     */
    void decode(DecodeWork work, ByteBuffer bytes, BatchTarget target) throws SampleException;

    /** Frees codec contexts and scratch. */
    @Override
    void close();
}
