package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStoreContract;
import dev.penstock.spi.BlobStores;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class S3BlobStoreTest extends BlobStoreContract {
    private S3BlobStore store;
    private URI folder;

    @BeforeEach
    void open() {
        store = S3Fixture.to(S3Fixture.server().endpoint()).build();
        folder = S3Fixture.folder();
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @Override
    protected BlobStore store() {
        return store;
    }

    @Override
    protected URI folder() {
        return folder;
    }

    @Test
    void theSchemeIsFoundOnTheClassPath() {
        assertThat(BlobStores.of(URI.create("s3://bucket/key"))).isInstanceOf(S3BlobStore.class);
    }

    @Test
    void longRangesComeInPartsEachInItsPlace() throws Exception {
        byte[] content = bytes(20, 24 << 20);
        URI uri = folder.resolve("long");
        S3BlobStore parted = S3Fixture.to(S3Fixture.server().endpoint())
                .partSize(5 << 20)
                .partsAtOnce(3)
                .build();
        try (parted;
                Blob blob = blobAfterWrite(parted, uri, content)) {
            S3Metrics before = parted.metrics();
            ByteBuffer target = ByteBuffer.allocateDirect((24 << 20) - 1000);
            blob.read(500, target);
            assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, 500, (24 << 20) - 1000));
            S3Metrics read = parted.metrics().since(before);
            assertThat(read.requests()).isEqualTo(5);
            assertThat(read.reads()).isEqualTo(1);
            assertThat(read.bytesFetched()).isEqualTo(read.bytesUsed()).isEqualTo((24 << 20) - 1000);
        }
    }

    private static Blob blobAfterWrite(S3BlobStore store, URI uri, byte[] content) throws java.io.IOException {
        S3Fixture.write(store, uri, content); // five parts: a multipart upload
        assertThat(store.metrics().requests()).isGreaterThanOrEqualTo(7);
        return store.open(uri);
    }

    @Test
    void listsMoreThanOnePage() throws Exception {
        Path many = Files.createDirectories(S3Fixture.server()
                .bucketFolder("data")
                .resolve(folder.getPath().substring(1))
                .resolve("many"));
        for (int i = 0; i < 1_005; i++) {
            Files.createFile(many.resolve("" + i));
        }
        assertThat(store.list(folder.resolve("many/"))).hasSize(1_005);
        assertThat(store.metrics().requests()).isEqualTo(2);
    }

    @Test
    void openingWhatWasListedAsksNothing() throws Exception {
        S3Fixture.write(store, folder.resolve("a"), bytes(1, 10));
        URI listed = store.list(folder).get(0).uri();
        long before = store.metrics().requests();
        try (Blob blob = store.open(listed)) {
            assertThat(blob.size()).isEqualTo(10);
            assertThat(store.metrics().requests()).isEqualTo(before);
            blob.read(3, ByteBuffer.allocate(4));
            assertThat(store.metrics().requests()).isEqualTo(before + 1);
        }
    }
}
