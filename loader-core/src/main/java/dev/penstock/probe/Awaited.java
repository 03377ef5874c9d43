package dev.penstock.probe;

/**
 * What the awaited batches were doing while the trainer waited for them, in nanoseconds. The parts add up to the total
 * wait: a wait is cut at the instants when its batch was started, wholly read, wholly decoded and collated.
 *
 * @param start not yet started: no free batch memory, or the planner came late
 * @param read waiting for bytes
 * @param decode waiting for pixels
 * @param collate waiting for truth
 * @param handOff finished and not yet handed over
 */
public record Awaited(long start, long read, long decode, long collate, long handOff) {

    /** The sum of the parts. */
    public long total() {
        return start + read + decode + collate + handOff;
    }
}
