package dev.penstock.engine;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a sample that can't be had: the engine's form of the loader's setting.
 *
 * @param kind fail, skip or substitute
 * @param mostShare the largest share of an epoch's samples that may be bad, 0 to 1
 * @param mostCount the most bad samples of an epoch
 * @param quarantine a JSON Lines file that names each, or null
 */
public record BadSampleRule(
        Kind kind,
        double mostShare,
        long mostCount,
        @Nullable String quarantine) {
    /** The three ways. */
    public enum Kind {
        /** The batch's place in the sequence throws. */
        FAIL,
        /** The batch comes smaller. */
        SKIP,
        /** Another sample stands in. */
        SUBSTITUTE
    }
}
