package dev.penstock.s3;

import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.s3.kit.S3Server;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Random ranges of one object, read by many threads while a share of all exchanges fails in mixed ways: counts wrong
 * bytes and lost reads, which must both be zero. Arguments of {@link #main}: reads, share, seed.
 */
public final class MixedFaultsRun {
    /** Ways that a link and a server fail; a turned bit is not among them, since only TLS or a whole read notices it. */
    static final List<Fault> FAULTS = List.of(
            Fault.status(503),
            Fault.status(500),
            Fault.cut(0),
            Fault.cut(7_000),
            Fault.reset(20_000),
            Fault.refuse(),
            Fault.shorter(1),
            Fault.delay(Duration.ofMillis(100)),
            Fault.slow(2_000_000));

    private MixedFaultsRun() {}

    /** Results of a run. */
    record Result(long right, long wrong, S3Metrics metrics) {}

    /** See the class. */
    public static void main(String[] args) throws Exception {
        int reads = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        double rate = args.length > 1 ? Double.parseDouble(args[1]) : 0.05;
        long seed = args.length > 2 ? Long.parseLong(args[2]) : 1;
        Path folder = Files.createTempDirectory("penstock-s3-faults");
        try (S3Server server = S3Server.start(folder);
                FaultProxy proxy = FaultProxy.start(server.endpoint())) {
            server.bucket("data");
            System.out.println(run(proxy, URI.create("s3://data/mixed/clip"), reads, rate, seed));
        }
    }

    static Result run(FaultProxy proxy, URI uri, int reads, double rate, long seed) throws Exception {
        byte[] content = S3Fixture.bytes(seed, 512 << 10);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (S3BlobStore store =
                S3Fixture.to(proxy.endpoint()).concurrency(16).hedge(0.95, 0.05).build()) {
            S3Fixture.write(store, uri, content);
            try (Blob blob = store.open(uri)) {
                proxy.plan(FaultPlan.mixed(seed, rate, FAULTS));
                List<Callable<Boolean>> all = IntStream.range(0, reads)
                        .mapToObj(i -> (Callable<Boolean>) () -> readOne(blob, content, seed * 31 + i))
                        .toList();
                long right = 0;
                for (Future<Boolean> result : threads.invokeAll(all)) {
                    right += result.get() ? 1 : 0;
                }
                return new Result(right, reads - right, store.metrics());
            }
        } finally {
            threads.shutdownNow();
            proxy.plan(FaultPlan.none());
        }
    }

    private static boolean readOne(Blob blob, byte[] content, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(1, 60_000);
        int from = random.nextInt(content.length - size);
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        blob.read(from, target);
        return target.flip().equals(ByteBuffer.wrap(content, from, size));
    }
}
