package dev.penstock.decode.truth;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about an episode's truth before it is opened. Immutable.
 *
 * @param episode the episode's id, for messages
 * @param uri the file, or null for inline truth
 * @param inline JSON text, or null for a file
 * @param where what messages call it: the file, or index and line
 * @param options what the file's format needs beside its address; mostly empty
 * @param frames times of the reference clip's frames, for records that are keyed by frame; null where there is none
 * @param schema what every record is checked against; null: the schema is inferred
 * @param wanted the fields whose values will be read, so that a columnar format need not read the others; null: all
 */
public record TruthInput(
        String episode,
        @Nullable URI uri,
        @Nullable String inline,
        String where,
        Map<String, Object> options,
        @Nullable FrameTimes frames,
        @Nullable TruthSchema schema,
        @Nullable Set<String> wanted) {

    public TruthInput {
        if ((uri == null) == (inline == null)) {
            throw new IllegalArgumentException("truth is either a file or inline; got " + uri + " and " + inline);
        }
        options = Map.copyOf(options);
        wanted = wanted == null ? null : Collections.unmodifiableSet(new LinkedHashSet<>(wanted));
    }

    /** Truth of which all fields may be read. */
    public TruthInput(
            String episode,
            @Nullable URI uri,
            @Nullable String inline,
            String where,
            Map<String, Object> options,
            @Nullable FrameTimes frames,
            @Nullable TruthSchema schema) {
        this(episode, uri, inline, where, options, frames, schema, null);
    }

    /** Truth in a file. */
    public static TruthInput file(String episode, URI uri) {
        return new TruthInput(episode, uri, null, uri.toString(), Map.of(), null, null);
    }

    /** Truth as JSON text that stands at {@code where}. */
    public static TruthInput inline(String episode, String json, String where) {
        return new TruthInput(episode, null, json, where, Map.of(), null, null);
    }

    /** The same with the times of the reference clip's frames. */
    public TruthInput frames(FrameTimes times) {
        return new TruthInput(episode, uri, inline, where, options, times, schema, wanted);
    }

    /** The same, checked against a schema. */
    public TruthInput schema(@Nullable TruthSchema expected) {
        return new TruthInput(episode, uri, inline, where, options, frames, expected, wanted);
    }

    /** The same under another name in messages. */
    public TruthInput where(String name) {
        return new TruthInput(episode, uri, inline, name, options, frames, schema, wanted);
    }

    /** The same with what the format needs. */
    public TruthInput options(Map<String, Object> needed) {
        return new TruthInput(episode, uri, inline, where, needed, frames, schema, wanted);
    }

    /** The same, of which only these fields will be read. */
    public TruthInput wanted(@Nullable Set<String> names) {
        return new TruthInput(episode, uri, inline, where, options, frames, schema, names);
    }

    /** Start of every message about it. */
    public String prefix() {
        return "episode '" + episode + "', truth " + where;
    }
}
