package dev.penstock.decode;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where an episode's ground truth is: a file, or JSON that stands in the index itself. A reference: nothing is opened.
 * Immutable.
 *
 * @param uri the file, or null for inline truth
 * @param inline the JSON text, or null for a file
 * @param where what messages call it: the file, or index and line of inline truth
 * @param options what the file's format needs beside its address (the rows of an episode in a shared file), plain JSON
 *     values; mostly empty
 * @param schema a file with the {@link dev.penstock.decode.truth.TruthSchema} that its records are checked against, or null:
 *     the dataset's, if it has one
 */
public record TruthReference(
        @Nullable URI uri,
        @Nullable String inline,
        String where,
        Map<String, Object> options,
        @Nullable URI schema) {

    public TruthReference {
        if ((uri == null) == (inline == null)) {
            throw new IllegalArgumentException("truth is either a file or inline; got " + uri + " and " + inline);
        }
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Truth without a schema of its own. */
    public TruthReference(@Nullable URI uri, @Nullable String inline, String where, Map<String, Object> options) {
        this(uri, inline, where, options, null);
    }

    /** The same, checked against the schema in a file. */
    public TruthReference schema(@Nullable URI file) {
        return new TruthReference(uri, inline, where, options, file);
    }

    /** Truth in a file. */
    public static TruthReference file(URI uri) {
        return new TruthReference(uri, null, Addresses.readable(uri), Map.of());
    }

    /** Truth in a file whose format needs {@code options}. */
    public static TruthReference file(URI uri, Map<String, Object> options) {
        return new TruthReference(uri, null, Addresses.readable(uri), options);
    }

    /** Truth as JSON text that stands at {@code where}. */
    public static TruthReference inline(String json, String where) {
        return new TruthReference(null, json, where, Map.of());
    }

    @Override
    public String toString() {
        return where;
    }
}
