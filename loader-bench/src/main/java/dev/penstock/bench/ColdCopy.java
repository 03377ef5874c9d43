package dev.penstock.bench;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A copy of a dataset's folder that can be made cold: out of this machine's page cache.
 *
 * <p>Java can't ask the kernel to forget a file, but a write past the cache makes it forget what it had of that range. So
 * {@link #cool()} writes every file of the copy again, the same bytes, with direct I/O. What it can't reach: the last
 * bytes of a file beyond a whole block, what the reader itself keeps (clip indexes), a cache inside the disk, and that of
 * the host below a virtual machine. So a cold read here is a read from the block device, and no colder. Used by one
 * thread; {@link #close} deletes the copy.
 */
final class ColdCopy implements AutoCloseable {
    private static final int CHUNK = 1 << 20;

    private final Path source;
    private final Path copy;
    private final List<Path> files;

    private ColdCopy(Path source, Path copy, List<Path> files) {
        this.source = source;
        this.copy = copy;
        this.files = files;
    }

    /** Copies {@code folder} into a new folder of {@code parent}. */
    static ColdCopy of(Path folder, Path parent) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).map(folder::relativize).toList();
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(folder.resolve(file));
        }
        Files.createDirectories(parent);
        long free = Files.getFileStore(parent).getUsableSpace();
        if (free < bytes) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "--cold needs a copy of %s: %d MiB, but %s has %d MiB left; give it room, or measure a part of the"
                            + " dataset",
                    folder,
                    bytes >> 20,
                    parent,
                    free >> 20));
        }
        ColdCopy made = new ColdCopy(folder, parent.resolve("cold-" + UUID.randomUUID()), files);
        try {
            for (Path file : files) {
                Path to = made.copy.resolve(file);
                Files.createDirectories(to.getParent());
                Files.copy(folder.resolve(file), to);
            }
        } catch (IOException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** The copy's folder. */
    Path folder() {
        return copy;
    }

    /** Makes the kernel forget every whole block of the copy. Readers may have the files open. */
    void cool() throws IOException {
        int block = (int) Files.getFileStore(copy).getBlockSize();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK + block).alignedSlice(block);
        for (Path file : files) {
            try (FileChannel in = FileChannel.open(source.resolve(file), StandardOpenOption.READ);
                    FileChannel out =
                            FileChannel.open(copy.resolve(file), StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
                rewrite(in, out, chunk, block);
            } catch (UnsupportedOperationException | IOException e) {
                throw new IOException(
                        "--cold: " + copy.resolve(file) + " can't be written past the page cache (" + e.getMessage()
                                + "); put the cache folder (XDG_CACHE_HOME) on a disk that takes direct I/O",
                        e);
            }
        }
    }

    private static void rewrite(FileChannel in, FileChannel out, ByteBuffer chunk, int block) throws IOException {
        long whole = in.size() / block * block;
        for (long at = 0; at < whole; ) {
            chunk.clear().limit((int) Math.min(CHUNK, whole - at));
            while (chunk.hasRemaining() && in.read(chunk, at + chunk.position()) >= 0) {
                // until the chunk is full
            }
            chunk.flip();
            at += out.write(chunk, at);
        }
        out.force(false);
    }

    @Override
    public void close() throws IOException {
        if (!Files.exists(copy)) {
            return;
        }
        try (Stream<Path> all = Files.walk(copy)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
