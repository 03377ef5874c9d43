package dev.penstock;

/**
 * Limits of the tuning on line: the loader raises read and decode concurrency one step at a time while the trainer's
 * batches come faster, and steps back when they do not. Immutable plain data. The order and bytes of batches do not
 * depend on it. It never takes more memory than the loader's own cap.
 *
 * @param mostRead the most read workers
 * @param mostDecode the most decode workers
 * @param mostCpuShare share of the machine's cores, 0 to 1, above which the loader takes no more decode workers
 */
public record Autotune(int mostRead, int mostDecode, double mostCpuShare) {

    public Autotune {
        if (mostRead < 1 || mostDecode < 1 || !(mostCpuShare > 0) || mostCpuShare > 1) {
            throw new IllegalArgumentException("autotune: mostRead was " + mostRead + " and mostDecode " + mostDecode
                    + " (both must be at least 1), mostCpuShare " + mostCpuShare + " (must be above 0, at most 1)");
        }
    }

    /** Up to 32 read workers, as many decode workers as cores, and nine tenths of the cores. */
    public static Autotune defaults() {
        return new Autotune(32, Runtime.getRuntime().availableProcessors(), 0.9);
    }
}
