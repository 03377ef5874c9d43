package dev.penstock.roofline;

/**
 * What a change is predicted to bring. The gain is replayed against replayed, so that what the model gets wrong on both
 * sides alike drops out; the throughput is the measured one times the gain.
 *
 * @param change what is changed
 * @param batchesPerSecond predicted
 * @param samplesPerSecond predicted
 * @param waitShare predicted share of the time that the trainer waits, 0 to 1
 * @param gain relative gain in samples a second: 0.25 is a quarter more
 * @param error of the gain, as one standard figure: the model's error on the run just measured, and the run's own spread
 */
public record Prediction(
        Change change, double batchesPerSecond, double samplesPerSecond, double waitShare, double gain, double error) {

    /** {@link #error} relative to the predicted throughput. */
    public double relativeError() {
        return error / Math.max(1e-9, 1 + gain);
    }

    /** Whether the gain is more than the model can get wrong. */
    public boolean isBelievable() {
        return Math.abs(gain) > error;
    }
}
