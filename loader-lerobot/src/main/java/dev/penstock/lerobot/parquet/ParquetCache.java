package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the episodes that share a Parquet file share what was read of it: else a file of a thousand episodes would be read a
 * thousand times. Footers stay while there is memory; columns stay as long as some truth uses them. Thread-safe.
 */
final class ParquetCache {
    /** The same file, unchanged. */
    private record FileKey(URI uri, String identity) {}

    private record ColumnKey(FileKey file, int group, String name) {}

    private record Entry(
            WeakReference<StoredColumn> values, @Nullable String problem) {}

    private static final int LOCKS = 64;

    private final Map<FileKey, SoftReference<ParquetFile>> files = new ConcurrentHashMap<>();
    private final Map<ColumnKey, Entry> columns = new ConcurrentHashMap<>();
    /** Whoever reads a file or column holds the lock of its key, so that others wait for it instead of reading too. */
    private final Object[] locks = new Object[LOCKS];

    ParquetCache() {
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    ParquetFile file(Blob blob, String where) throws IOException {
        FileKey key = new FileKey(blob.uri(), blob.identity());
        synchronized (lockOf(key)) {
            SoftReference<ParquetFile> known = files.get(key);
            ParquetFile file = known == null ? null : known.get();
            if (file == null) {
                files.values().removeIf(reference -> reference.get() == null);
                file = new ParquetFile(blob, where);
                files.put(key, new SoftReference<>(file));
            }
            return file;
        }
    }

    ParquetFile.Column column(ParquetFile file, Blob blob, int group, String name) throws IOException {
        ColumnKey key = new ColumnKey(new FileKey(blob.uri(), blob.identity()), group, name);
        synchronized (lockOf(key)) {
            Entry known = columns.get(key);
            StoredColumn values = known == null ? null : known.values.get();
            if (known != null && values != null) {
                return new ParquetFile.Column(values, known.problem);
            }
            columns.values().removeIf(entry -> entry.values.get() == null);
            ParquetFile.Column column = file.read(blob, group, name);
            columns.put(key, new Entry(new WeakReference<>(column.values()), column.problem()));
            return column;
        }
    }

    private Object lockOf(Object key) {
        return locks[Math.floorMod(key.hashCode(), LOCKS)];
    }
}
