package dev.penstock.roofline;

/**
 * What the machine's cores give this process. Immutable.
 *
 * @param together how many cores' worth of work all cores do at once: fewer than there are, where they are halves of one,
 *     a hypervisor gives less than it shows or a quota holds
 * @param others tasks of other processes that compete for them, on average: 1 for one that always runs
 */
public record Cores(double together, double others) {
    private static final double LEAST = 0.5;

    /** @throws IllegalArgumentException for a number that is no number of cores or tasks */
    public Cores {
        if (!(together >= LEAST) || !(others >= 0)) {
            throw new IllegalArgumentException(
                    "cores were " + together + " with " + others + " others, must be at least 0.5 with at least 0");
        }
    }

    /** All of them, and nobody else's. */
    public static Cores alone(int cores) {
        return new Cores(cores, 0);
    }

    /**
     * What was seen from outside.
     *
     * @param cores of the machine
     * @param scale work that one thread on each core did, ÷ that of a thread alone; both while others ran
     * @param others their cores' worth of CPU time
     */
    static Cores seen(int cores, double scale, double others) {
        double alone = scale * (cores + others) / cores; // the threads that were counted shared with the others
        return new Cores(Math.min(cores, alone), others);
    }

    /** Cores' worth that others leave when both sides want all they can get. */
    double left() {
        return Math.max(LEAST, together - others);
    }

    /**
     * The speed of each of {@code running} tasks, 1 for a core of its own: an operating system gives every task that
     * wants to run the same share.
     */
    double speed(long running) {
        return running == 0 ? 1 : Math.min(1, together / (running + others));
    }
}
