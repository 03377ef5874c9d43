package dev.penstock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every {@link BlobStore} promises. A subclass brings a store and an empty folder of its own for each test. */
public abstract class BlobStoreContract {

    /** The store under test. */
    protected abstract BlobStore store() throws IOException;

    /** An empty folder of the store; its address ends with a slash. */
    protected abstract URI folder() throws IOException;

    @Test
    void readsBackWhatWasWritten() throws IOException {
        byte[] content = bytes(1, 100_000);
        URI uri = write("clip.mp4", content);
        assertThat(store().readAll(uri)).isEqualTo(content);
        try (Blob blob = store().open(uri)) {
            assertThat(blob.size()).isEqualTo(100_000);
            assertThat(blob.uri()).isEqualTo(uri);
        }
    }

    @Test
    void readsRangesIntoTheMiddleOfDirectAndHeapMemory() throws IOException {
        byte[] content = bytes(2, 50_000);
        try (Blob blob = store().open(write("a", content))) {
            for (ByteBuffer memory : List.of(ByteBuffer.allocateDirect(1_000), ByteBuffer.allocate(1_000))) {
                memory.position(100).limit(900);
                blob.read(49_200, memory);
                assertThat(memory.position()).isEqualTo(900);
                memory.clear();
                for (int i = 0; i < 1_000; i++) {
                    assertThat(memory.get(i)).isEqualTo(i < 100 || i >= 900 ? 0 : content[49_200 + i - 100]);
                }
            }
        }
    }

    @Test
    void anEmptyBlobAndAnEmptyRangeAreFine() throws IOException {
        try (Blob blob = store().open(write("empty", new byte[0]))) {
            assertThat(blob.size()).isZero();
            blob.read(0, ByteBuffer.allocate(0));
        }
    }

    @Test
    void aRangePastTheEndThrowsAndNamesTheBlob() throws IOException {
        URI uri = write("short.bin", bytes(3, 10));
        try (Blob blob = store().open(uri)) {
            assertThatThrownBy(() -> blob.read(5, ByteBuffer.allocate(6)))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("short.bin");
        }
    }

    @Test
    void openingAnAbsentBlobThrowsAndNamesIt() throws IOException {
        URI absent = folder().resolve("not-there.bin");
        assertThat(store().exists(absent)).isFalse();
        assertThatThrownBy(() -> store().open(absent))
                .isInstanceOfSatisfying(
                        BlobException.class, e -> assertThat(e.isRetryable()).isFalse())
                .hasMessageContaining("not-there.bin")
                .hasMessageContaining("check");
    }

    @Test
    void listsFilesAndFoldersInOrderOfName() throws IOException {
        write("b.txt", bytes(4, 3));
        write("a/inner.txt", bytes(5, 4));
        write("c/deeper/still.txt", bytes(6, 5));
        write("a.txt", bytes(7, 6));
        List<BlobStore.Entry> entries = store().list(folder());
        assertThat(entries).extracting(BlobStore.Entry::name).containsExactly("a", "a.txt", "b.txt", "c");
        assertThat(entries).extracting(BlobStore.Entry::folder).containsExactly(true, false, false, true);
        assertThat(entries).extracting(BlobStore.Entry::size).containsExactly(0L, 6L, 3L, 0L);
        assertThat(entries.get(0).uri().toString()).endsWith("/a/");
        assertThat(store().list(entries.get(0).uri()))
                .extracting(BlobStore.Entry::name)
                .containsExactly("inner.txt");
        assertThat(store().readAll(entries.get(1).uri())).isEqualTo(bytes(7, 6));
    }

    @Test
    void anAbsentFolderListsAsEmpty() throws IOException {
        assertThat(store().list(folder().resolve("nothing/"))).isEmpty();
    }

    @Test
    void namesWithBlanksAndLettersOfAllKindsSurvive() throws IOException, java.net.URISyntaxException {
        byte[] content = bytes(8, 9);
        URI folder = folder();
        String name = "fährt 100% +&=#?.mp4";
        URI uri = new URI(folder.getScheme(), folder.getAuthority(), folder.getPath() + name, null, null);
        store().write(uri, new ByteArrayInputStream(content), 9);
        List<BlobStore.Entry> entries = store().list(folder);
        assertThat(entries).extracting(BlobStore.Entry::name).containsExactly(name);
        assertThat(store().readAll(entries.get(0).uri())).isEqualTo(content);
        assertThat(store().exists(uri)).isTrue();
    }

    @Test
    void replacingABlobChangesItsIdentity() throws IOException {
        URI uri = write("x", bytes(9, 10));
        String before = identity(uri);
        write("x", bytes(10, 11));
        assertThat(identity(uri)).isNotEqualTo(before);
        assertThat(store().readAll(uri)).isEqualTo(bytes(10, 11));
    }

    @Test
    void deletesAndDoesNotMindAbsence() throws IOException {
        URI uri = write("gone", bytes(11, 10));
        store().delete(uri);
        assertThat(store().exists(uri)).isFalse();
        store().delete(uri);
    }

    @Test
    void contentOfAnotherLengthThanAnnouncedIsNotStored() throws IOException {
        URI uri = folder().resolve("half");
        assertThatThrownBy(() -> store().write(uri, new ByteArrayInputStream(new byte[5]), 6))
                .isInstanceOf(BlobException.class)
                .hasMessageContaining("5")
                .hasMessageContaining("6");
        assertThat(store().exists(uri)).isFalse();
        assertThat(store().list(folder())).isEmpty();
    }

    @Test
    void manyThreadsReadOneBlob() throws Exception {
        byte[] content = bytes(12, 200_000);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Blob blob = store().open(write("shared", content))) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                results.add(threads.submit(reader(blob, content, t)));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isEqualTo(25);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Integer> reader(Blob blob, byte[] content, int seed) {
        return () -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 25; i++) {
                int from = random.nextInt(content.length);
                byte[] part = new byte[random.nextInt(1, 10_000)];
                int size = Math.min(part.length, content.length - from);
                blob.read(from, ByteBuffer.wrap(part, 0, size));
                assertThat(java.util.Arrays.equals(part, 0, size, content, from, from + size))
                        .as("seed %d, read %d", seed, i)
                        .isTrue();
            }
            return 25;
        };
    }

    private String identity(URI uri) throws IOException {
        try (Blob blob = store().open(uri)) {
            return blob.identity();
        }
    }

    private URI write(String name, byte[] content) throws IOException {
        URI uri = folder().resolve(name);
        store().write(uri, new ByteArrayInputStream(content), content.length);
        return uri;
    }

    /** Bytes that a seed always gives. */
    protected static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
