package dev.penstock.spi;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalBlobStoreTest extends BlobStoreContract {
    @TempDir
    Path folder;

    @Override
    protected BlobStore store() {
        return BlobStores.of(URI.create("file:///"));
    }

    @Override
    protected URI folder() {
        return folder.toUri();
    }
}
