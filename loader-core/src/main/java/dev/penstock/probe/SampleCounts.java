package dev.penstock.probe;

/**
 * Where the planned samples of an epoch went. The loader itself asserts {@code delivered + skipped + dropped = planned}
 * at each epoch's end.
 *
 * @param planned samples of this rank's part of the epoch plan (without padding)
 * @param delivered handed to the trainer, substitutes included
 * @param substituted of the delivered: replaced by another sample because the planned one was bad
 * @param skipped bad and left out
 * @param dropped not handed over because the epoch was left early
 * @param padding extra rows that fill up a rank's last batch, not among the planned
 * @param retries reads that were tried again
 * @param early of the delivered: handed over before a late sample that stands earlier in the plan
 */
public record SampleCounts(
        long planned,
        long delivered,
        long substituted,
        long skipped,
        long dropped,
        long padding,
        long retries,
        long early) {

    /** Nothing planned. */
    public static final SampleCounts NONE = new SampleCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** Whether nothing was lost. */
    public boolean balanced() {
        return delivered + skipped + dropped == planned;
    }
}
