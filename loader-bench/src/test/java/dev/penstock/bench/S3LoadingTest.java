package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.SampleCounts;
import dev.penstock.s3.RetryPolicy;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.S3Metrics;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.spi.LoaderException;
import dev.penstock.view.Anchors;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whole loaders over a failing server: no wrong byte, no lost sample, no hang, nothing left behind. Seeded and short here;
 * CONTRIBUTING.md has the commands of the long runs ({@code penstock.s3.windows}, {@code penstock.s3.outageSeconds},
 * {@code penstock.s3.loaders}).
 */
class S3LoadingTest {
    private static final Logger LOG = LoggerFactory.getLogger(S3LoadingTest.class);
    private static final int WINDOWS = Integer.getInteger("penstock.s3.windows", 300);
    private static final int OUTAGE_SECONDS = Integer.getInteger("penstock.s3.outageSeconds", 1);
    private static final int LOADERS = Integer.getInteger("penstock.s3.loaders", 40);
    private static final long SEED = 17;

    @TempDir
    static Path folder;

    private static S3Bucket bucket;
    private static String local = "";
    private static String remote = "";

    @BeforeAll
    static void makeData() throws Exception {
        Path index = DemoDataset.make(
                folder.resolve("data"), DemoSettings.STANDARD.length(2, 3).size(Size.of(160, 96)), (done, total) -> {});
        local = String.valueOf(index.getParent());
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        bucket = S3Bucket.start(folder.resolve("server"));
        remote = bucket.upload(Path.of(local), "demo");
    }

    @AfterAll
    static void end() {
        System.clearProperty("penstock.indexCache");
        if (bucket != null) {
            bucket.close();
        }
    }

    @AfterEach
    void noFaults() {
        bucket.proxy().down(false).plan(FaultPlan.none()).forget();
    }

    private static Loader loader(String data, int epochs) throws IOException {
        View view = View.builder()
                .video("front", Window.frames(4), Size.of(32, 24))
                .anchors(Anchors.everyFrames(1))
                .build();
        return Loader.builder(Episodes.open(data), view)
                .batchSize(4)
                .shuffle(Shuffle.full(SEED))
                .readConcurrency(16)
                .decodeConcurrency(2)
                .prefetch(4)
                .epochs(epochs)
                .build();
    }

    /** What a run of some epochs gave: one digest for each, and the samples. */
    private record Read(List<String> digests, long samples) {}

    private interface Step {
        void after(long samples);
    }

    private static Read readAll(Loader loader, int epochs, Step step) {
        List<String> digests = new ArrayList<>();
        long samples = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            BatchDigest digest = new BatchDigest();
            for (Batch batch : loader) {
                digest.add(batch);
                samples += batch.size();
                step.after(samples);
            }
            SampleCounts counts = loader.dataWait().samplesCounted();
            assertThat(counts.delivered()).isEqualTo(counts.planned()).isEqualTo(loader.samples());
            digests.add(digest.hex());
        }
        return new Read(digests, samples);
    }

    private static int epochsOf(Loader loader) {
        return (int) ((WINDOWS + loader.samples() - 1) / loader.samples());
    }

    @Test
    void mixedFailuresAndAnOutageInTheMiddleCostNoByteAndNoSample() throws Exception {
        Read here;
        int epochs;
        try (Loader loader = loader(local, Integer.MAX_VALUE)) {
            epochs = epochsOf(loader);
            here = readAll(loader, epochs, samples -> {});
        }
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        RetryPolicy policy = RetryPolicy.STANDARD.withWaits(Duration.ofMillis(20), Duration.ofSeconds(10));
        try (S3BlobStore store = S3Bucket.register(S3Bucket.store(bucket.proxy().endpoint())
                        .retry(policy)
                        .hedge(0.95, 0.05)
                        .build());
                Loader loader = loader(remote, epochs)) {
            bucket.proxy().plan(FaultPlan.mixed(SEED, 0.05, S3CommandsTest.FAULTS));
            long[] outage = {Long.MAX_VALUE};
            Read there = readAll(loader, epochs, samples -> {
                if (outage[0] == Long.MAX_VALUE && samples > here.samples() / 2) {
                    outage[0] = System.nanoTime();
                    bucket.proxy().down(true);
                    var unused = later.schedule(() -> bucket.proxy().down(false), OUTAGE_SECONDS, TimeUnit.SECONDS);
                }
            });
            S3Metrics metrics = store.metrics();
            LOG.info(
                    "{} windows, 5 % of requests failing, {} s of outage: {}", here.samples(), OUTAGE_SECONDS, metrics);
            assertThat(there).isEqualTo(here);
            assertThat(metrics.retries()).isPositive();
            assertThat(metrics.retriesByReason().get("connect")
                            + metrics.retriesByReason().get("cut"))
                    .isPositive();
            assertThat(metrics.failures()).isZero();
            assertThat(loader.dataWait().samplesCounted().skipped()).isZero();
        } finally {
            later.shutdownNow();
        }
    }

    @Test
    void anOutageBeyondTheBudgetIsReportedWithWhatWasTried() throws Exception {
        RetryPolicy impatient = RetryPolicy.STANDARD
                .withWaits(Duration.ofMillis(10), Duration.ofMillis(100))
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (S3BlobStore store = S3Bucket.register(S3Bucket.store(bucket.proxy().endpoint())
                        .retry(impatient.withAttempts(8))
                        .build());
                Loader loader = loader(remote, 1)) {
            Iterator<Batch> batches = loader.iterator();
            batches.next();
            bucket.proxy().down(true);
            assertThatThrownBy(() -> {
                        while (batches.hasNext()) {
                            batches.next();
                        }
                    })
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("bucket data")
                    .hasMessageContaining("on the last of 8 attempts")
                    .hasMessageContaining("check the");
            assertThat(store.metrics().failures()).isPositive();
            assertThat(loader.dataWait().samplesCounted().retries()).isZero(); // the store's budget is not multiplied
        }
    }

    @Test
    void loadersOpenedAndClosedLeaveNoConnectionAndNoThread() throws Exception {
        List<String> before = threads(); // of commands that other tests of this JVM ran
        S3BlobStore store = S3Bucket.register(
                S3Bucket.store(bucket.proxy().endpoint()).concurrency(8).build());
        try {
            int most = 0;
            for (int i = 0; i < LOADERS; i++) {
                if (i > 0 && i % 10 == 0) {
                    store.close();
                    store = S3Bucket.register(S3Bucket.store(bucket.proxy().endpoint())
                            .concurrency(8)
                            .build());
                }
                try (Loader loader = loader(remote, 1)) {
                    Iterator<Batch> batches = loader.iterator();
                    for (int batch = 0; batch < i % 4; batch++) {
                        assertThat(batches.next().size()).isEqualTo(4);
                    }
                } // closed in the midst of its reads
                most = Math.max(most, bucket.proxy().connections());
            }
            assertThat(most).isLessThanOrEqualTo(8 + 8 + 8); // a pool of 16, and those of the store before it
            assertThat(store.metrics().running()).isZero();
            assertThat(store.metrics().waiting()).isZero();
        } finally {
            store.close();
        }
        Awaitility.await().until(() -> bucket.proxy().connections() == 0);
        Awaitility.await().until(() -> before.containsAll(threads()));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock"))
                .toList();
    }
}
