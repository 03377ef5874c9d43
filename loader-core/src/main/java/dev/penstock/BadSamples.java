package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a sample that can't be had. Immutable plain data.
 *
 * @param rule fail, skip or substitute
 * @param mostShare the largest share of an epoch's samples that may be bad, 0 to 1; past it the loader fails
 * @param mostCount the most bad samples of an epoch; past it the loader fails
 * @param quarantine a JSON Lines file that names each bad sample, or null
 */
public record BadSamples(
        Rule rule,
        double mostShare,
        long mostCount,
        @Nullable String quarantine) {

    /** Fail at the first. */
    public static final BadSamples FAIL = new BadSamples(Rule.FAIL, 0, 0, null);

    /** The three ways. */
    public enum Rule {
        /** {@code next()} throws, naming the sample. */
        FAIL,
        /** The batch comes without it, smaller. */
        SKIP,
        /** Another sample, chosen by seed and position, stands in; batches keep their shape. */
        SUBSTITUTE
    }

    public BadSamples {
        if (!(mostShare >= 0 && mostShare <= 1)) {
            throw new IllegalArgumentException("share of bad samples was " + mostShare + ", must be 0 to 1");
        }
        if (mostCount < 0) {
            throw new IllegalArgumentException("count of bad samples was " + mostCount + ", must be at least 0");
        }
    }

    /** Leaves bad samples out, up to 1 % of an epoch. */
    public static BadSamples skip() {
        return new BadSamples(Rule.SKIP, 0.01, Long.MAX_VALUE, null);
    }

    /** Puts others in their place, up to 1 % of an epoch. */
    public static BadSamples substitute() {
        return new BadSamples(Rule.SUBSTITUTE, 0.01, Long.MAX_VALUE, null);
    }

    /** The same rule with another budget. */
    public BadSamples budget(double share, long count) {
        return new BadSamples(rule, share, count, quarantine);
    }

    /** The same rule, each bad sample written to a JSON Lines file. */
    public BadSamples quarantine(String file) {
        return new BadSamples(rule, mostShare, mostCount, file);
    }
}
