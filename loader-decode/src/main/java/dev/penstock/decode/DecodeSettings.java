package dev.penstock.decode;

import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.IndexCache;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a dataset's clips are indexed and decoded. Immutable plain data.
 *
 * @param indexes where clip indexes are kept between runs
 * @param indexFolder the folder of {@link Indexes#IN_FOLDER}, null for the others
 * @param indexThreads how many clips are indexed at the same time when a view is bound, at least 1
 * @param limits what one clip may ask of the machine
 */
public record DecodeSettings(Indexes indexes, @Nullable Path indexFolder, int indexThreads, DecodeLimits limits) {

    /** Where clip indexes are kept between runs. */
    public enum Indexes {
        /** In the user's cache folder; see {@link IndexCache#inUserCache()}. The default. */
        IN_USER_CACHE,
        /** In a folder of one's own. */
        IN_FOLDER,
        /** Beside each local clip. */
        BESIDE_DATA,
        /** Nowhere: every run builds them. */
        IN_MEMORY
    }

    /** User's cache folder, four indexing threads, {@link DecodeLimits#DEFAULT}. */
    public static final DecodeSettings DEFAULT =
            new DecodeSettings(Indexes.IN_USER_CACHE, null, 4, DecodeLimits.DEFAULT);

    public DecodeSettings {
        Objects.requireNonNull(limits, "limits");
        if ((indexes == Indexes.IN_FOLDER) != (indexFolder != null)) {
            throw new IllegalArgumentException("indexFolder was " + indexFolder + " with indexes " + indexes
                    + ", must be given with IN_FOLDER and only there");
        }
        if (indexThreads < 1) {
            throw new IllegalArgumentException("indexThreads was " + indexThreads + ", must be at least 1");
        }
    }

    /** The same settings with clip indexes kept in this folder. */
    public DecodeSettings indexFolder(Path folder) {
        return new DecodeSettings(Indexes.IN_FOLDER, folder, indexThreads, limits);
    }

    /** The same settings with clip indexes kept elsewhere. */
    public DecodeSettings indexes(Indexes place) {
        return new DecodeSettings(place, null, indexThreads, limits);
    }

    /** The same settings with another number of indexing threads. */
    public DecodeSettings indexThreads(int threads) {
        return new DecodeSettings(indexes, indexFolder, threads, limits);
    }

    /** The same settings with other limits. */
    public DecodeSettings limits(DecodeLimits other) {
        return new DecodeSettings(indexes, indexFolder, indexThreads, other);
    }

    IndexCache newCache() {
        return switch (indexes) {
            case IN_USER_CACHE -> IndexCache.inUserCache();
            case IN_FOLDER -> IndexCache.inFolder(Objects.requireNonNull(indexFolder));
            case BESIDE_DATA -> IndexCache.besideData();
            case IN_MEMORY -> IndexCache.inMemory();
        };
    }
}
