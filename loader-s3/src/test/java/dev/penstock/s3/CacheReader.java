package dev.penstock.s3;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A process that reads random ranges of a file through a cache and compares them with the file: arguments file, cache
 * folder, limit, seed, number of reads. Writes one line per hundred reads; exits with 1 at the first wrong byte.
 */
public final class CacheReader {
    private CacheReader() {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        byte[] content = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(Long.parseLong(args[3]));
        DiskCache cache = DiskCache.over(BlobStores.of(URI.create("file:///")))
                .folder(Path.of(args[1]))
                .limit(Long.parseLong(args[2]))
                .chunkSize(16 << 10)
                .build();
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        ByteBuffer target = ByteBuffer.allocateDirect(100_000);
        try (Blob blob = cache.open(file.toUri())) {
            for (int i = 1; i <= Integer.parseInt(args[4]); i++) {
                int size = random.nextInt(1, target.capacity());
                int from = random.nextInt(content.length - size);
                blob.read(from, target.clear().limit(size));
                if (!target.flip().equals(ByteBuffer.wrap(content, from, size))) {
                    out.println("wrong bytes in read " + i + " of seed " + args[3]);
                    System.exit(1);
                }
                if (i % 100 == 0) {
                    out.println("read " + i + " damaged " + cache.metrics().damaged());
                }
            }
        }
        out.println("right " + cache.metrics());
    }
}
