package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache before the local store: the same code as before S3, and every fetch is seen in its metrics. */
class DiskCacheTest {
    private static final int CHUNK = 4 << 10;
    private static final BlobStore LOCAL = BlobStores.of(URI.create("file:///"));

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private DiskCache cache(long limit) {
        return cache(folder.resolve("cache"), limit);
    }

    private DiskCache cache(Path where, long limit) {
        InstantSource clock = () -> now;
        return DiskCache.over(LOCAL)
                .folder(where)
                .limit(limit)
                .chunkSize(CHUNK)
                .clock(clock)
                .build();
    }

    private URI file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toUri();
    }

    @Test
    void anyRangeIsRightFirstAndSecondTime() throws IOException {
        byte[] content = S3Fixture.bytes(1, 300 * CHUNK + 123);
        URI uri = file("a", content);
        DiskCache cache = cache(1 << 30);
        SplittableRandom random = new SplittableRandom(5);
        try (Blob blob = cache.open(uri)) {
            for (int i = 0; i < 400; i++) {
                int from = random.nextInt(content.length);
                int size = random.nextInt(Math.min(content.length - from, i % 10 == 0 ? 1 << 20 : 3 * CHUNK)) + 1;
                assertRange(blob, content, from, size, "seed 5, read " + i);
            }
            assertRange(blob, content, 0, content.length, "whole");
            long misses = cache.metrics().misses();
            assertRange(blob, content, 0, content.length, "again");
            assertThat(cache.metrics().misses()).isEqualTo(misses).isEqualTo(301);
        }
        assertThat(cache.metrics().limitTooSmall()).isFalse();
    }

    @Test
    void aSecondCacheOnTheFolderFetchesNothing() throws IOException {
        byte[] content = S3Fixture.bytes(2, 20 * CHUNK);
        URI uri = file("a", content);
        try (Blob blob = cache(1 << 30).open(uri)) {
            assertRange(blob, content, 0, content.length, "first");
        }
        DiskCache second = cache(1 << 30);
        try (Blob blob = second.open(uri)) {
            assertRange(blob, content, 17, 19 * CHUNK, "second");
        }
        assertThat(second.metrics().bytesFetched()).isZero();
        assertThat(second.metrics().hitRate()).isEqualTo(1);
    }

    @Test
    void aReplacedBlobNeverGivesItsOldBytes() throws IOException {
        DiskCache cache = cache(1 << 30);
        byte[] before = S3Fixture.bytes(3, 3 * CHUNK);
        try (Blob blob = cache.open(file("a", before))) {
            assertRange(blob, before, 0, before.length, "before");
        }
        byte[] after = S3Fixture.bytes(4, 3 * CHUNK + 1);
        try (Blob blob = cache.open(file("a", after))) {
            assertRange(blob, after, 0, after.length, "after");
        }
    }

    @Test
    void everyKindOfDamageIsFetchedAgain() throws IOException {
        byte[] content = S3Fixture.bytes(5, 8 * CHUNK);
        URI uri = file("a", content);
        DiskCache cache = cache(1 << 30);
        try (Blob blob = cache.open(uri)) {
            assertRange(blob, content, 0, content.length, "filling");
            List<Path> entries = entries();
            flip(entries.get(0), 5); // head
            flip(entries.get(1), CacheEntry.HEAD + 77); // payload
            Files.write(entries.get(2), new byte[0]);
            Files.write(entries.get(3), new byte[CacheEntry.HEAD + CHUNK]); // blocks that never reached the disk
            Files.write(entries.get(4), java.util.Arrays.copyOf(Files.readAllBytes(entries.get(4)), 1_000));
            Files.copy(entries.get(6), entries.get(5), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertRange(blob, content, 0, content.length, "damaged");
            assertThat(cache.metrics().damaged()).isEqualTo(6);
            assertRange(blob, content, 0, content.length, "mended");
            assertThat(cache.metrics().damaged()).isEqualTo(6);
            assertThat(cache.metrics().misses()).isEqualTo(14);
        }
    }

    @Test
    void theFolderStaysUnderItsLimitAndTheLongestUnusedGoFirst() throws IOException {
        byte[] content = S3Fixture.bytes(6, 64 * CHUNK);
        URI uri = file("a", content);
        DiskCache cache = cache(16L * (CHUNK + CacheEntry.HEAD));
        try (Blob blob = cache.open(uri)) {
            for (int chunk = 0; chunk < 64; chunk++) {
                now = now.plusSeconds(60);
                assertRange(blob, content, chunk * CHUNK, CHUNK, "chunk " + chunk);
                now = now.plusSeconds(60);
                assertRange(blob, content, 0, CHUNK, "the one in use");
                assertThat(folderBytes()).isLessThanOrEqualTo(16L * (CHUNK + CacheEntry.HEAD));
            }
        }
        assertThat(cache.metrics().misses()).isEqualTo(64);
        assertThat(cache.metrics().evictions()).isGreaterThanOrEqualTo(48);
    }

    @Test
    void aLimitBelowTheWorkingSetIsSaid() throws IOException {
        byte[] content = S3Fixture.bytes(7, 64 * CHUNK);
        DiskCache cache = cache(32L * CHUNK);
        try (Blob blob = cache.open(file("a", content))) {
            assertRange(blob, content, 0, 16 * CHUNK, "a quarter");
            assertThat(cache.metrics().limitTooSmall()).isFalse();
            assertRange(blob, content, 0, content.length, "all");
            assertRange(blob, content, 0, content.length, "again");
        }
        assertThat(cache.metrics().limitTooSmall()).isTrue();
        assertThat(cache.metrics().workingSetBytes()).isBetween(60L * CHUNK, 68L * CHUNK);
        assertThat(cache.metrics().missedAgain()).isPositive();
    }

    @Test
    void leftoversOfAKilledProcessAreRemoved() throws IOException {
        Path aside = Files.createDirectories(folder.resolve("cache/aside"));
        Path leftover = Files.write(aside.resolve("4711-x.part"), new byte[100]);
        Files.setLastModifiedTime(leftover, java.nio.file.attribute.FileTime.from(now.minusSeconds(3_600)));
        byte[] content = S3Fixture.bytes(8, CHUNK);
        try (Blob blob = cache(1 << 30).open(file("a", content))) {
            assertRange(blob, content, 0, CHUNK, "one");
        }
        assertThat(leftover).doesNotExist();
    }

    @Test
    void aFullDiskIsReadPast() throws Exception {
        Path small = Files.createDirectories(folder.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.toString()) == 0,
                "no small tmpfs could be mounted: needs root and mount");
        try {
            byte[] content = S3Fixture.bytes(9, 128 * CHUNK);
            URI uri = file("a", content);
            DiskCache cache = cache(small.resolve("cache"), 1 << 30);
            try (Blob blob = cache.open(uri)) {
                for (int round = 0; round < 3; round++) {
                    now = now.plusSeconds(60);
                    assertRange(blob, content, 0, content.length, "round " + round);
                }
            }
            assertThat(cache.metrics().storeFailures()).isPositive();
            assertThat(cache.metrics().hits()).isPositive();
            assertThat(cache.metrics().damaged()).isZero();
        } finally {
            run("umount", "-l", small.toString());
        }
    }

    @Test
    void aFolderThatMayNotBeWrittenIsReadPast() throws IOException {
        Path file = Files.write(folder.resolve("no-folder"), new byte[1]);
        byte[] content = S3Fixture.bytes(10, 3 * CHUNK);
        DiskCache cache = cache(file.resolve("cache"), 1 << 30);
        try (Blob blob = cache.open(file("a", content))) {
            assertRange(blob, content, 10, 2 * CHUNK, "uncached");
        }
        assertThat(cache.metrics().storeFailures()).isPositive();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .startsWith("rw");
    }

    @Test
    void wrongSettingsAreAllReported() {
        DiskCache.Builder builder = DiskCache.over(LOCAL).chunkSize(1).limit(0);
        assertThatThrownBy(builder::build)
                .hasMessageContaining("folder")
                .hasMessageContaining("chunkSize was 1")
                .hasMessageContaining("limit was 0");
    }

    static void assertRange(Blob blob, byte[] content, int from, int size, String what) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        blob.read(from, target);
        assertThat(target.flip().equals(ByteBuffer.wrap(content, from, size)))
                .as(what)
                .isTrue();
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("cache/chunks-1"))) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private long folderBytes() throws IOException {
        return entries().stream().mapToLong(path -> path.toFile().length()).sum();
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 1;
        Files.write(file, bytes);
    }

    private static int run(String... command) throws Exception {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1; // the command is not there
        }
    }
}
