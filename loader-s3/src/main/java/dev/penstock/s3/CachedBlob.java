package dev.penstock.s3;

import dev.penstock.spi.Blob;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A blob read through a {@link DiskCache}, chunk by chunk. Thread-safe.
 *
 * <p>Chunks next to each other that are not there are fetched by one read. A whole chunk goes between disk or store and
 * the caller's memory without a copy; one that the caller wants only a part of, and short runs, go through a scratch
 * buffer.
 */
final class CachedBlob implements Blob {
    private final Blob inner;
    private final DiskCache cache;
    private final ChunkKey key;
    private final int chunkSize;

    CachedBlob(Blob inner, DiskCache cache) {
        this.inner = inner;
        this.cache = cache;
        this.chunkSize = cache.chunkSize();
        this.key = ChunkKey.first(inner, chunkSize);
    }

    @Override
    public URI uri() {
        return inner.uri();
    }

    @Override
    public long size() {
        return inner.size();
    }

    @Override
    public String identity() {
        return inner.identity();
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int wanted = target.remaining();
        if (offset < 0 || offset > size() - wanted) {
            throw new EOFException(uri() + " has " + size() + " bytes; " + wanted + " from " + offset
                    + " on were asked for; it was cut, or its index is another blob's");
        }
        if (wanted == 0) {
            return;
        }
        Wanted range = new Wanted(offset, target.slice());
        long end = (offset + wanted - 1) / chunkSize + 1;
        for (long[] run : missing(range, offset / chunkSize, end)) {
            fetch(range, run[0], run[1]);
        }
        target.position(target.limit());
        cache.counters().bytesUsed.add(wanted);
    }

    /** Copies what is there and returns the runs of chunks that are not, each from (with) to (without). */
    private List<long[]> missing(Wanted range, long from, long to) throws IOException {
        List<long[]> runs = new ArrayList<>();
        for (long chunk = from; chunk < to; chunk++) {
            boolean before = cache.workingSet().seen(key.at(chunk).hash(), length(chunk));
            if (load(range, chunk)) {
                cache.counters().hits.increment();
                cache.counters().bytesHit.add(length(chunk));
                continue;
            }
            cache.counters().misses.increment();
            if (before) {
                cache.counters().missedAgain.increment();
            }
            if (!runs.isEmpty() && runs.get(runs.size() - 1)[1] == chunk) {
                runs.get(runs.size() - 1)[1]++;
            } else {
                runs.add(new long[] {chunk, chunk + 1});
            }
        }
        return runs;
    }

    private boolean load(Wanted range, long chunk) throws IOException {
        if (range.holds(chunk)) {
            return cache.folder().load(key.at(chunk), range.slice(chunk, chunk + 1));
        }
        ByteBuffer scratch = cache.scratch().take();
        try {
            scratch.limit(length(chunk));
            boolean found = cache.folder().load(key.at(chunk), scratch);
            if (found) {
                range.copy(chunk, scratch);
            }
            return found;
        } finally {
            cache.scratch().give(scratch);
        }
    }

    private void fetch(Wanted range, long from, long to) throws IOException {
        if ((to - from) * chunkSize <= cache.scratch().size()) {
            fetchThroughScratch(range, from, to);
            return;
        }
        long first = range.holds(from) ? from : from + 1;
        long last = range.holds(to - 1) ? to : to - 1;
        if (first > from) {
            fetchThroughScratch(range, from, first);
        }
        if (last < to) {
            fetchThroughScratch(range, last, to);
        }
        ByteBuffer direct = range.slice(first, last);
        inner.read(first * chunkSize, direct.duplicate());
        store(direct, first, last);
    }

    private void fetchThroughScratch(Wanted range, long from, long to) throws IOException {
        ByteBuffer scratch = cache.scratch().take();
        try {
            scratch.limit((int) (end(to - 1) - from * chunkSize));
            inner.read(from * chunkSize, scratch);
            scratch.flip();
            store(scratch, from, to);
            range.copy(from, scratch);
        } finally {
            cache.scratch().give(scratch);
        }
    }

    /** Keeps the chunks that {@code bytes} begins with. */
    private void store(ByteBuffer bytes, long from, long to) {
        cache.counters().bytesFetched.add(bytes.remaining());
        for (long chunk = from; chunk < to; chunk++) {
            cache.folder().store(key.at(chunk), bytes.slice((int) ((chunk - from) * chunkSize), length(chunk)));
        }
    }

    private long end(long chunk) {
        return Math.min((chunk + 1) * chunkSize, size());
    }

    private int length(long chunk) {
        return (int) (end(chunk) - chunk * chunkSize);
    }

    /** The caller's range and memory; the memory's position 0 is the range's first byte. */
    private final class Wanted {
        private final long offset;
        private final ByteBuffer memory;

        Wanted(long offset, ByteBuffer memory) {
            this.offset = offset;
            this.memory = memory;
        }

        /** Whether the whole chunk lies in the range. */
        boolean holds(long chunk) {
            return chunk * chunkSize >= offset && end(chunk) <= offset + memory.capacity();
        }

        /** The memory of whole chunks. */
        ByteBuffer slice(long from, long to) {
            return memory.slice((int) (from * chunkSize - offset), (int) (end(to - 1) - from * chunkSize));
        }

        /** Copies what the range and these bytes, which begin with a chunk, have in common. */
        void copy(long fromChunk, ByteBuffer bytes) {
            long start = fromChunk * chunkSize;
            long first = Math.max(start, offset);
            long last = Math.min(start + bytes.limit(), offset + memory.capacity());
            memory.put((int) (first - offset), bytes, (int) (first - start), (int) (last - first));
        }
    }
}
