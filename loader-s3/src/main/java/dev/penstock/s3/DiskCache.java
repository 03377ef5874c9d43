package dev.penstock.s3;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.StoreStats;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps what was read from another one in a folder of this machine, up to a size. Thread-safe.
 *
 * <p>Blobs are kept in aligned chunks under a key of address, identity and chunk number, so a replaced object never meets
 * its old bytes. Each chunk is checked by a CRC at every read; a damaged one is fetched again. The longest unused go
 * first. Several processes may share the folder, and be killed at any moment. Where the disk is full or may not be
 * written, reads go on without keeping. Metadata (sizes, lists) is not kept: it comes from the store.
 *
 * <p>A limit below what is read in one epoch makes a cache nearly useless; {@link CacheMetrics#limitTooSmall} and a
 * warning say so. Off-heap memory: at most {@value #SCRATCH_COUNT} times 16 chunks.
 */
public final class DiskCache implements BlobStore {
    private static final int SCRATCH_COUNT = 16;
    private static final int SCRATCH_CHUNKS = 16;

    private final BlobStore inner;
    private final CacheCounters counters = new CacheCounters();
    private final CacheFolder folder;
    private final WorkingSet workingSet;
    private final ScratchBuffers scratch;
    private final int chunkSize;
    private final long limit;

    private DiskCache(BlobStore inner, Path folder, long limit, int chunkSize, InstantSource clock) {
        this.inner = inner;
        this.limit = limit;
        this.chunkSize = chunkSize;
        this.folder = new CacheFolder(folder, limit, counters, clock);
        this.workingSet = new WorkingSet(limit);
        this.scratch = new ScratchBuffers(SCRATCH_COUNT, SCRATCH_CHUNKS * chunkSize);
    }

    /** A cache before {@code inner}, which is closed with it. */
    public static Builder over(BlobStore inner) {
        return new Builder(inner);
    }

    /** What this process did with the folder. */
    public CacheMetrics metrics() {
        return counters.snapshot(workingSet.bytes(), folder.size(), limit);
    }

    @Override
    public String scheme() {
        return inner.scheme();
    }

    /** The store's, with the folder's hits and misses; used are the bytes that readers of the cache got. */
    @Override
    public StoreStats stats() {
        StoreStats under = inner.stats();
        return new StoreStats(
                under.store(),
                under.requests(),
                under.bytesFetched(),
                counters.bytesUsed.sum(),
                under.retriesByReason(),
                under.hedges(),
                under.throttles(),
                under.failures(),
                counters.hits.sum(),
                counters.misses.sum(),
                under.queueNanos(),
                under.firstByteNanos(),
                under.transferNanos());
    }

    @Override
    public Blob open(URI uri) throws IOException {
        return new CachedBlob(inner.open(uri), this);
    }

    @Override
    public List<Entry> list(URI address) throws IOException {
        return inner.list(address);
    }

    @Override
    public boolean exists(URI uri) throws IOException {
        return inner.exists(uri);
    }

    @Override
    public void write(URI uri, InputStream content, long size) throws IOException {
        inner.write(uri, content, size);
    }

    @Override
    public void delete(URI uri) throws IOException {
        inner.delete(uri);
    }

    @Override
    public void close() {
        inner.close();
    }

    CacheFolder folder() {
        return folder;
    }

    CacheCounters counters() {
        return counters;
    }

    WorkingSet workingSet() {
        return workingSet;
    }

    ScratchBuffers scratch() {
        return scratch;
    }

    int chunkSize() {
        return chunkSize;
    }

    /** Settings of a cache; {@link #build} checks them all. Not thread-safe. */
    public static final class Builder {
        private final BlobStore inner;
        private @Nullable Path folder;
        private long limit;
        private int chunkSize = 256 << 10;
        private InstantSource clock = InstantSource.system();

        private Builder(BlobStore inner) {
            this.inner = inner;
        }

        /** Where to keep chunks; made when absent. Several processes may name the same. */
        public Builder folder(Path value) {
            folder = value;
            return this;
        }

        /** Most bytes the folder may hold. */
        public Builder limit(long bytes) {
            limit = bytes;
            return this;
        }

        /**
         * Bytes of one chunk; 256 KiB. All processes on one folder need the same to find each other's chunks. Small ones
         * fetch little that is not asked for, large ones make fewer files.
         */
        public Builder chunkSize(int bytes) {
            chunkSize = bytes;
            return this;
        }

        Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /**
         * The cache.
         *
         * @throws IllegalArgumentException naming every wrong setting, its value and what it needs
         */
        public DiskCache build() {
            List<String> wrong = new ArrayList<>();
            Path where = folder;
            if (where == null) {
                wrong.add("folder was not set");
            }
            if (chunkSize < 4 << 10 || chunkSize > 64 << 20) {
                wrong.add("chunkSize was " + chunkSize + ", must be from 4 KiB to 64 MiB");
            }
            if (limit < chunkSize) {
                wrong.add("limit was " + limit + ", must be at least one chunk of " + chunkSize);
            }
            if (where == null || !wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", wrong));
            }
            return new DiskCache(inner, where, limit, chunkSize, clock);
        }
    }
}
