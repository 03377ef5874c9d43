package dev.penstock.spi;

/**
 * Byte ranges that one piece of work needs. The engine reads them one behind the other into one leased buffer: range
 * {@code i} stands at the sum of the lengths before it.
 */
public interface ReadRequest {

    /** How many ranges. */
    int ranges();

    /** The blob of range {@code i}. */
    Blob blob(int i);

    /** Where range {@code i} starts in its blob. */
    long offset(int i);

    /** Bytes of range {@code i}. */
    int length(int i);

    /** Sum of the lengths. */
    default long totalLength() {
        long total = 0;
        for (int i = 0; i < ranges(); i++) {
            total += length(i);
        }
        return total;
    }

    /** Of the {@link #totalLength}: bytes that will be used. The rest lies between them and was cheaper to read too. */
    default long neededLength() {
        return totalLength();
    }
}
