package dev.penstock.arrow.artifact;

import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A folder of this machine. Parts are made in {@code .penstock/} inside it, so that one rename on the same file system
 * puts them in place. A lock on a file there keeps a second run out; the system lets go of it when a process dies.
 */
final class LocalTarget implements ArtifactTarget {
    private static final String WORK = ".penstock";

    private final Path folder;
    private final Path work;
    private @Nullable FileChannel lockFile;

    LocalTarget(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
        this.work = this.folder.resolve(WORK);
    }

    @Override
    public void claim(String key, boolean replace) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new DatasetException("target " + folder + " is a file; give a folder", e);
        } catch (IOException e) {
            throw new DatasetException("target " + folder + " can't be made: " + reason(e), e);
        }
        boolean ours = Files.exists(folder.resolve(MARKER));
        if (!ours && !isEmptyBut(WORK)) {
            throw new DatasetException("target " + folder
                    + " is not empty and is no artifact; give an empty or new folder. Nothing was changed");
        }
        try {
            Files.createDirectories(work);
            lock();
            clearAway();
            Marker.claim(this, folder.toString(), key, replace);
            Files.createDirectories(folder.resolve(EPISODES));
        } catch (AccessDeniedException e) {
            throw new DatasetException("target " + folder + " may not be written; check its permissions", e);
        }
    }

    private static String reason(IOException e) {
        return e instanceof AccessDeniedException
                ? e.getMessage() + " may not be written; check its permissions"
                : String.valueOf(e.getMessage());
    }

    private boolean isEmptyBut(String name) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                folder, entry -> !entry.getFileName().toString().equals(name))) {
            return !entries.iterator().hasNext();
        }
    }

    private void lock() throws IOException {
        FileChannel channel =
                FileChannel.open(work.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null; // held in this JVM
        }
        if (lock == null || !Files.exists(work.resolve("lock"))) {
            channel.close();
            throw new DatasetException("target " + folder + " is being written by another run; wait for it or end it");
        }
        lockFile = channel;
    }

    /** What a killed run left half done. */
    private void clearAway() throws IOException {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(work, "part-*")) {
            for (Path part : parts) {
                Durable.delete(part);
            }
        }
    }

    @Override
    public @Nullable EpisodePart part(String name) throws IOException {
        Path place = folder.resolve(name);
        EpisodePart part;
        try {
            part = Marker.part(Files.readAllBytes(place.resolve(EpisodePart.FILE)));
        } catch (NoSuchFileException e) {
            return null;
        }
        if (part == null) {
            return null;
        }
        for (EpisodePart.FilePart file : part.files()) {
            Path path = place.resolve(file.name());
            if (!Files.isRegularFile(path) || Files.size(path) != file.bytes()) {
                return null;
            }
        }
        return part;
    }

    @Override
    public Path stage() throws IOException {
        return Files.createDirectory(work.resolve("part-" + UUID.randomUUID()));
    }

    @Override
    public void publish(Path staged, String name) throws IOException {
        Path place = folder.resolve(name);
        if (Files.exists(place)) {
            Path old = work.resolve("part-" + UUID.randomUUID());
            Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
            Files.move(staged, place, StandardCopyOption.ATOMIC_MOVE);
            Durable.delete(old);
        } else {
            Files.move(staged, place, StandardCopyOption.ATOMIC_MOVE);
        }
        Durable.folder(folder.resolve(EPISODES));
    }

    @Override
    public byte @Nullable [] read(String name) throws IOException {
        try {
            return Files.readAllBytes(folder.resolve(name));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void write(String name, byte[] bytes) throws IOException {
        Durable.replace(folder.resolve(name), bytes);
    }

    @Override
    public void removeOthers(Set<String> folders) throws IOException {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder.resolve(EPISODES))) {
            for (Path part : parts) {
                if (!folders.contains(EPISODES + "/" + part.getFileName())) {
                    Durable.delete(part);
                }
            }
        }
    }

    @Override
    public long usableBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    @Override
    public void close() throws IOException {
        if (lockFile != null) {
            Durable.delete(work); // under the lock, so that it is not another run's
            lockFile.close();
            lockFile = null;
        }
    }
}
