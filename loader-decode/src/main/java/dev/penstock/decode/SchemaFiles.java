package dev.penstock.decode;

import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Truth schemas in files, each read once. Thread-safe. */
final class SchemaFiles {
    private final Map<URI, TruthSchema> known = new ConcurrentHashMap<>();
    private final @Nullable TruthSchema ofDataset;

    /** @param ofDataset for episodes that name none */
    SchemaFiles(@Nullable TruthSchema ofDataset) {
        this.ofDataset = ofDataset;
    }

    /** What an episode's truth is checked against, or null. */
    @Nullable
    TruthSchema of(TruthReference truth) throws IOException {
        URI uri = truth.schema();
        if (uri == null) {
            return ofDataset;
        }
        TruthSchema schema = known.get(uri);
        if (schema == null) {
            schema = read(BlobStores.of(uri), uri); // twice at most for each thread, with the same result
            known.put(uri, schema);
        }
        return schema;
    }

    /** The dataset with the schema that stands in its folder, if one does. */
    static Episodes withSchemaOf(Episodes dataset, BlobStore store, URI folder) throws IOException {
        URI uri = Addresses.child(folder, Episodes.SCHEMA);
        return store.exists(uri) ? dataset.truthSchema(read(store, uri)) : dataset;
    }

    private static TruthSchema read(BlobStore store, URI uri) throws IOException {
        String json = new String(store.readAll(uri), StandardCharsets.UTF_8);
        try {
            return TruthSchema.fromJson(json.startsWith("\uFEFF") ? json.substring(1) : json);
        } catch (IllegalArgumentException e) {
            throw new DatasetException(Addresses.readable(uri) + ": " + e.getMessage(), e);
        }
    }
}
