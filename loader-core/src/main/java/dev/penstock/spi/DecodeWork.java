package dev.penstock.spi;

/**
 * One piece of a batch's decoding: the frames of one clip that one or several rows need (rows that share a group of
 * pictures share a piece, so it is decoded once). Made by {@link SampleSource#plan}, used by one thread at a time.
 */
public interface DecodeWork extends ReadRequest {

    /** How many rows of the batch it writes. */
    int rows();

    /** The {@code i}-th of those rows. */
    int row(int i);

    /** The camera, or "" where there is none to name. */
    default String camera() {
        return "";
    }

    /** Camera and clip, for messages. */
    String describe();
}
