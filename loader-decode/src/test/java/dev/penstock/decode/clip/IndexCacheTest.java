package dev.penstock.decode.clip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.decode.ffmpeg.MemoryBlob;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCacheTest {
    @TempDir
    Path folder;

    private final AtomicInteger builds = new AtomicInteger();

    private ClipIndex get(IndexCache cache, Blob blob) throws IOException {
        return cache.get(blob, IndexCache.BEST_STREAM, () -> {
            builds.incrementAndGet();
            ClipIndex plain = TestIndexes.plain(9, 3);
            ClipIndex.Source s = plain.source();
            return new ClipIndex(
                    new ClipIndex.Source(
                            blob.uri(),
                            blob.identity(),
                            blob.size(),
                            0,
                            s.container(),
                            s.access(),
                            "",
                            1,
                            30,
                            0,
                            false,
                            9),
                    plain.format(),
                    plain.packets(),
                    List.of());
        });
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.reduce((a, b) -> {
                        throw new AssertionError(a + " and " + b);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void indexIsBuiltOnceAndFoundAgainByAnotherRun() throws IOException {
        Blob blob = new MemoryBlob("a.mp4", new byte[] {1, 2, 3});
        ClipIndex built = get(IndexCache.inFolder(folder), blob);
        IndexCache nextRun = IndexCache.inFolder(folder);
        assertThat(get(nextRun, blob)).isEqualTo(built);
        assertThat(get(nextRun, blob)).isSameAs(get(nextRun, blob));
        assertThat(builds).hasValue(1);
    }

    @Test
    void changedBlobIsIndexedAnew() throws IOException {
        IndexCache cache = IndexCache.inFolder(folder);
        get(cache, new MemoryBlob("a.mp4", new byte[] {1, 2, 3}));
        get(cache, new MemoryBlob("a.mp4", new byte[] {1, 2, 4}));
        get(IndexCache.inFolder(folder), new MemoryBlob("a.mp4", new byte[] {1, 2, 5}));
        assertThat(builds).hasValue(3);
        assertThat(onlyFile()).isRegularFile();
    }

    @Test
    void damagedFileIsReplaced() throws IOException {
        Blob blob = new MemoryBlob("a.mp4", new byte[] {1, 2, 3});
        ClipIndex built = get(IndexCache.inFolder(folder), blob);
        byte[] bytes = Files.readAllBytes(onlyFile());
        bytes[bytes.length / 2] ^= 4;
        Files.write(onlyFile(), bytes);
        assertThat(get(IndexCache.inFolder(folder), blob)).isEqualTo(built);
        assertThat(builds).hasValue(2);
        get(IndexCache.inFolder(folder), blob);
        assertThat(builds).hasValue(2);
    }

    @Test
    void folderThatCannotBeWrittenCostsNothingButTheFile() throws IOException {
        Path file = Files.createFile(folder.resolve("in the way"));
        Blob blob = new MemoryBlob("a.mp4", new byte[] {1, 2, 3});
        IndexCache cache = IndexCache.inFolder(file.resolve("cache"));
        assertThat(get(cache, blob)).isSameAs(get(cache, blob));
        assertThat(builds).hasValue(1);
    }

    @Test
    void indexLiesBesideALocalClipWhenAskedFor() throws IOException {
        Path clip = Files.write(folder.resolve("clip 1.mp4"), new byte[] {1, 2, 3});
        Blob blob = BlobStores.of(clip.toUri()).open(clip.toUri());
        get(IndexCache.besideData(), blob);
        assertThat(folder.resolve("clip 1.mp4.pidx")).isRegularFile();
        get(IndexCache.besideData(), blob);
        assertThat(builds).hasValue(1);
        blob.close();
    }
}
