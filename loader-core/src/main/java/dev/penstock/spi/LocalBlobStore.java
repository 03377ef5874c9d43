package dev.penstock.spi;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files of this machine.
 *
 * <p>A blob keeps its channel open from its first read to {@link Blob#close()}, or until more than {@link #MOST_OPEN}
 * are open: then the one that was opened first is closed, so that a dataset of any number of files stays within the
 * process's descriptors. Positional reads need no lock. A channel that was closed under a reader, by that or by another
 * reader's interrupt, is opened again for those who were not interrupted.
 */
final class LocalBlobStore implements BlobStore {
    /** Channels open at the same time; a quarter of the least descriptor limit that systems commonly give. */
    static final int MOST_OPEN = 256;

    /** Blobs with an open channel, the first opened first. Guarded by itself. */
    private static final Set<LocalBlob> OPEN = new LinkedHashSet<>();

    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public Blob open(URI uri) throws IOException {
        Path path = path(uri);
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new BlobException(path + " does not exist; check the path", false, e);
        } catch (AccessDeniedException e) {
            throw new BlobException(path + " may not be read; check its permissions", false, e);
        }
        if (attributes.isDirectory()) {
            throw new BlobException(path + " is a folder, a file is needed", false);
        }
        return new LocalBlob(
                uri,
                path,
                attributes.size(),
                attributes.size() + "-" + attributes.lastModifiedTime().toMillis());
    }

    @Override
    public List<Entry> list(URI folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path(folder))) {
            for (Path path : stream) {
                boolean isFolder = Files.isDirectory(path);
                entries.add(new Entry(
                        path.toUri(), String.valueOf(path.getFileName()), isFolder ? 0 : Files.size(path), isFolder));
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
    }

    @Override
    public boolean exists(URI uri) {
        return Files.isRegularFile(path(uri));
    }

    @Override
    public void write(URI uri, InputStream content, long size) throws IOException {
        Path path = path(uri);
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path aside = Files.createTempFile(folder, ".penstock-", ".part");
        try {
            long written = Files.copy(content, aside, StandardCopyOption.REPLACE_EXISTING);
            if (written != size) {
                throw new BlobException(path + ": " + written + " bytes came, " + size + " were announced", true);
            }
            Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    @Override
    public void delete(URI uri) throws IOException {
        Files.deleteIfExists(path(uri));
    }

    private static Path path(URI uri) {
        return uri.getScheme() == null ? Path.of(uri.getPath()) : Path.of(uri);
    }

    private static final class LocalBlob implements Blob {
        private final URI uri;
        private final Path path;
        private final long size;
        private final String identity;

        /** Written under the blob's monitor; volatile so that readers see an opened channel without it. */
        private volatile @Nullable FileChannel channel;

        LocalBlob(URI uri, Path path, long size, String identity) {
            this.uri = uri;
            this.path = path;
            this.size = size;
            this.identity = identity;
        }

        @Override
        public URI uri() {
            return uri;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public String identity() {
            return identity;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            int start = target.position();
            while (true) {
                FileChannel open = opened();
                try {
                    readFully(open, offset, target);
                    return;
                } catch (ClosedChannelException e) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                    target.position(start); // closed for all: another reader was interrupted, or too many were open
                }
            }
        }

        private void readFully(FileChannel open, long offset, ByteBuffer target) throws IOException {
            long at = offset;
            while (target.hasRemaining()) {
                int count = open.read(target, at);
                if (count < 0) {
                    throw new EOFException(path + " ended at byte " + at + ", " + target.remaining()
                            + " bytes more were needed; it was cut, or changed since it was indexed");
                }
                at += count;
            }
        }

        private FileChannel opened() throws IOException {
            FileChannel current = channel;
            if (current != null && current.isOpen()) {
                return current;
            }
            synchronized (this) {
                current = channel;
                if (current == null || !current.isOpen()) {
                    current = FileChannel.open(path, StandardOpenOption.READ);
                    channel = current;
                }
            }
            LocalBlob oldest = noteOpen(this);
            if (oldest != null) {
                oldest.closeChannel(); // outside this blob's monitor: two blobs may close one another's channel
            }
            return current;
        }

        /** Returns the blob whose channel is one too many, or null. */
        private static @Nullable LocalBlob noteOpen(LocalBlob blob) {
            synchronized (OPEN) {
                if (!OPEN.add(blob) || OPEN.size() <= MOST_OPEN) {
                    return null;
                }
                LocalBlob oldest = OPEN.iterator().next();
                OPEN.remove(oldest);
                return oldest;
            }
        }

        @Override
        public void close() {
            synchronized (OPEN) {
                OPEN.remove(this);
            }
            closeChannel();
        }

        private synchronized void closeChannel() {
            FileChannel current = channel;
            channel = null;
            if (current != null) {
                try {
                    current.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
