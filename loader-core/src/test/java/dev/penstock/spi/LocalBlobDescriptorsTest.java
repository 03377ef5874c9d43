package dev.penstock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many local blobs in use at the same time: they stay readable, and the process within its descriptors. */
class LocalBlobDescriptorsTest {
    private static final int BLOBS = LocalBlobStore.MOST_OPEN + 150;

    @TempDir
    Path folder;

    @Test
    void moreBlobsThanMayBeOpenHoldABoundedNumberOfDescriptors() throws Exception {
        Assumptions.assumeTrue(
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
                "skipped: descriptors are counted on Unix only");
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getOpenFileDescriptorCount();
        List<Blob> blobs = new ArrayList<>();
        for (int i = 0; i < BLOBS; i++) {
            Path file = Files.write(folder.resolve("blob-" + i), new byte[] {(byte) i, (byte) (i >> 8)});
            blobs.add(BlobStores.of(file.toUri()).open(file.toUri()));
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < BLOBS; i++) {
                ByteBuffer bytes = ByteBuffer.allocate(2);
                blobs.get(i).read(0, bytes);
                assertThat(bytes.array()).containsExactly(i & 0xFF, i >> 8);
            }
            assertThat(system.getOpenFileDescriptorCount() - before).isLessThan(LocalBlobStore.MOST_OPEN + 20L);
        }
        blobs.forEach(Blob::close);
        assertThat(system.getOpenFileDescriptorCount() - before).isLessThan(20);
    }
}
