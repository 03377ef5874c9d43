package dev.penstock.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a {@link DiskCache}. Thread-safe, and safe beside other processes on the same folder.
 *
 * <p>There is no index and no counter on disk that a killed process could leave wrong: a chunk is a file, written aside
 * and renamed, so it is there whole or not at all; its modification time is the time of its last use; the folder's size
 * is found by looking. A process looks again after it wrote a sixteenth of the limit, or when it would pass the limit.
 * So several processes together may pass it by a sixteenth each, until the next of them looks. The one that looks and
 * removes holds a file lock; the system lets go of it when its holder is killed.
 */
final class CacheFolder {
    private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);
    private static final Duration TOUCH_EVERY = Duration.ofSeconds(10);
    private static final Duration LEFTOVER_AFTER = Duration.ofMinutes(10);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);

    private record Found(Path path, long size, FileTime used) {}

    private final Path chunks;
    private final Path aside;
    private final Path lockFile;
    private final long limit;
    private final CacheCounters counters;
    private final InstantSource clock;
    private final ReentrantLock looking = new ReentrantLock();
    /** Guarded by this; the size when it was last looked at and what was written since; negative before the first look. */
    private long known = -1;
    /** Guarded by this. */
    private long written;
    /** Guarded by this; nothing is stored before: the disk is full or may not be written. */
    private Instant pausedUntil = Instant.MIN;

    CacheFolder(Path folder, long limit, CacheCounters counters, InstantSource clock) {
        this.chunks = folder.resolve("chunks-1");
        this.aside = folder.resolve("aside");
        this.lockFile = folder.resolve("lock");
        this.limit = limit;
        this.counters = counters;
        this.clock = clock;
    }

    /** Where a chunk is. */
    Path path(ChunkKey key) {
        return chunks.resolve(key.blob().substring(0, 2)).resolve(key.blob()).resolve(Long.toString(key.index()));
    }

    /** Reads a chunk whole into what remains of {@code payload}; false when it has to be fetched. */
    boolean load(ChunkKey key, ByteBuffer payload) {
        Path file = path(key);
        try {
            CacheEntry.State state = CacheEntry.read(file, key.hash(), payload);
            if (state == CacheEntry.State.DAMAGED) {
                counters.damaged.increment();
                Files.deleteIfExists(file);
                LOG.warn("cache entry {} is damaged: removed, and fetched again", file);
            }
            if (state != CacheEntry.State.RIGHT) {
                return false;
            }
            touch(file);
            return true;
        } catch (IOException e) {
            LOG.debug("cache entry {} can't be read: fetched again", file, e);
            return false;
        }
    }

    private void touch(Path file) {
        try {
            Instant now = clock.instant();
            if (Files.getLastModifiedTime(file).toInstant().plus(TOUCH_EVERY).isBefore(now)) {
                Files.setLastModifiedTime(file, FileTime.from(now));
            }
        } catch (IOException e) {
            LOG.debug("cache entry {} was removed while it was read", file, e);
        }
    }

    /** Keeps a chunk if there is room and the disk allows it; never throws. */
    void store(ChunkKey key, ByteBuffer payload) {
        long size = CacheEntry.HEAD + (long) payload.remaining();
        if (!room(size)) {
            return;
        }
        Path part = aside.resolve(ProcessHandle.current().pid() + "-" + UUID.randomUUID() + ".part");
        try {
            Files.createDirectories(aside);
            CacheEntry.write(part, key.hash(), payload);
            Files.setLastModifiedTime(part, FileTime.from(clock.instant()));
            moveInto(part, path(key));
            counters.bytesStored.add(payload.remaining());
            synchronized (this) {
                written += size;
            }
        } catch (IOException e) {
            failed(part, e);
        }
    }

    private static void moveInto(Path part, Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new NoSuchFileException(file.toString());
        }
        Files.createDirectories(folder);
        try {
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            Files.createDirectories(folder); // emptied and removed in between, by an eviction
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void failed(Path part, IOException e) {
        counters.storeFailures.increment();
        try {
            Files.deleteIfExists(part);
        } catch (IOException again) {
            e.addSuppressed(again);
        }
        boolean first;
        synchronized (this) {
            Instant now = clock.instant();
            first = pausedUntil.isBefore(now);
            pausedUntil = now.plus(PAUSE_AFTER_FAILURE);
        }
        if (first) {
            LOG.warn(
                    "the disk cache can't write {}: reading on without keeping for {} s; check free space and permissions",
                    part,
                    PAUSE_AFTER_FAILURE.toSeconds(),
                    e);
        }
    }

    /** Whether a file of this size may be written now; looks and evicts where that is due. */
    private boolean room(long size) {
        boolean due;
        synchronized (this) {
            if (clock.instant().isBefore(pausedUntil)) {
                return false;
            }
            due = known < 0 || known + written + size > limit || written > limit / 16;
        }
        if (due) {
            look(size);
        }
        synchronized (this) {
            return known >= 0 && known + written + size <= limit;
        }
    }

    /** Size of the folder as far as this process knows. */
    synchronized long size() {
        return Math.max(0, known) + written;
    }

    private void look(long room) {
        if (!looking.tryLock()) {
            return; // another thread is at it; what can't be kept meanwhile is read uncached
        }
        try {
            Files.createDirectories(chunks);
            try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = tryLock(channel)) {
                List<Found> found = scan();
                long total = found.stream().mapToLong(Found::size).sum();
                if (lock != null && total + room > limit) {
                    total = evict(found, total, limit - limit / 8 - room);
                }
                synchronized (this) {
                    known = total;
                    written = 0;
                }
            }
        } catch (IOException e) {
            failed(lockFile.resolveSibling("no-part"), e);
        } finally {
            looking.unlock();
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another cache of this process on the same folder is looking
        }
    }

    private List<Found> scan() throws IOException {
        List<Found> found = new ArrayList<>();
        Files.walkFileTree(chunks, new Tolerant() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.add(new Found(file, attributes.size(), attributes.lastModifiedTime()));
                return FileVisitResult.CONTINUE;
            }
        });
        Instant leftover = clock.instant().minus(LEFTOVER_AFTER);
        if (Files.isDirectory(aside)) {
            Files.walkFileTree(aside, new Tolerant() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.lastModifiedTime().toInstant().isBefore(leftover)) {
                        Files.deleteIfExists(file); // of a process that was killed
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return found;
    }

    private long evict(List<Found> found, long total, long until) throws IOException {
        found.sort(Comparator.comparing(Found::used));
        long left = total;
        Set<@Nullable Path> touched = new HashSet<>();
        for (Found entry : found) {
            if (left <= until) {
                break;
            }
            if (Files.deleteIfExists(entry.path())) {
                counters.evictions.increment();
                touched.add(entry.path().getParent());
            }
            left -= entry.size();
        }
        touched.forEach(CacheFolder::removeIfEmpty);
        return left;
    }

    private static void removeIfEmpty(@Nullable Path folder) {
        if (folder != null && folder.toFile().delete()) { // fails where it is not empty, which is meant
            LOG.debug("cache folder {} is empty and removed", folder);
        }
    }

    /** Files may go while a process looks: another one evicts or renames. */
    private abstract static class Tolerant extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
