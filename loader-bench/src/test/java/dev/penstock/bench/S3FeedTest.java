package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.StageStats;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.kit.RangeServer;
import dev.penstock.spi.Blob;
import dev.penstock.view.Anchors;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How well two decode threads are fed over a link of 30 ms and 50 MB/s per connection, against local files: random windows
 * of 16 frames, every fourth, of clips at training resolution (16 reads of 31 ms carry 511 windows a second; two quick
 * decoders want 600 if it is every second frame). The client and the server's process take cores from the
 * decoders: on a small machine batches a second say what is left of the cores, and the share of time in which decoders
 * had work says how well they are fed; a trainer that takes half of what the decoders could leaves cores free, and must
 * see no difference. docs/performance.md has the figures.
 */
@Tag("quiet")
class S3FeedTest {
    private static final Logger LOG = LoggerFactory.getLogger(S3FeedTest.class);
    private static final int DECODERS = 2;
    private static final int ROUNDS = Integer.getInteger("penstock.s3.rounds", 5);
    private static final int WARMING_READS = Integer.getInteger("penstock.s3.warm", 12_000);
    private static final int EVERY = Integer.getInteger("penstock.s3.every", 4);
    private static final int BATCHES = Integer.getInteger("penstock.s3.batches", 300);

    @TempDir
    Path folder;

    /** Set when it runs. */
    private RangeServer link;

    /**
     * One run.
     *
     * @param rate batches a second
     * @param fed share of time in which decoders had work
     * @param cpu milliseconds of this JVM's processor time a batch, by kind of thread
     * @param server the same of the server's process
     */
    private record Run(double rate, double fed, Map<String, Double> cpu, double server, DataWaitReport report) {
        double ownCpu() {
            return cpu.getOrDefault(CpuByThread.TOTAL, 0.0);
        }
    }

    @Test
    void enoughReadsAtOnceFeedTwoDecodersAsWellAsLocalFiles() throws Exception {
        Path clips = SmallClips.make(SmallClips.shared("lo_"), folder.resolve("data/clips"), Size.of(224, 224), 8);
        S3Bucket.rightCredentials();
        try (RangeServer server = RangeServer.start(folder, Duration.ofMillis(30), 50_000_000);
                S3BlobStore store =
                        S3Bucket.register(S3Bucket.store(server.endpoint()).build())) {
            link = server;
            String remote = "s3://data/clips/";
            List<String> names = files(clips);
            List<Run> local = new ArrayList<>();
            List<Run> one = new ArrayList<>();
            List<Run> sixteen = new ArrayList<>();
            List<Run> localPaced = new ArrayList<>();
            List<Run> sixteenPaced = new ArrayList<>();
            warm(store, URI.create(remote + names.get(0)));
            String here = clips.toUri().toString();
            run(here, names, 2, BATCHES, 0);
            run(remote, names, 16, BATCHES, 0);
            for (int round = 0; round < ROUNDS; round++) {
                local.add(run(here, names, 2, BATCHES, 0));
                sixteen.add(run(remote, names, 16, BATCHES, 0));
                one.add(run(remote, names, 1, BATCHES / 15, 0));
                double halfPace = 2_000 / median(local, Run::rate);
                localPaced.add(run(here, names, 2, BATCHES / 3, halfPace));
                sixteenPaced.add(run(remote, names, 16, BATCHES / 3, halfPace));
            }
            say("local files", local);
            say("30 ms, 50 MB/s, 16 reads at once", sixteen);
            say("30 ms, 50 MB/s, 1 read at once", one);
            say("a trainer at half the pace, local files", localPaced);
            say("the same, 30 ms, 50 MB/s, 16 reads at once", sixteenPaced);
            LOG.info("store: {}", store.metrics());
            assertThat(median(sixteen, Run::fed)).isGreaterThanOrEqualTo(0.95 * median(local, Run::fed));
            assertThat(median(sixteenPaced, Run::rate)).isGreaterThanOrEqualTo(0.95 * median(localPaced, Run::rate));
            assertThat(one).allMatch(run -> run.report().bottleneck().equals("read"));
            assertThat(sixteen).noneMatch(run -> run.report().bottleneck().equals("read"));
        }
    }

    /** A JVM compiles the SDK's code over some ten thousand requests; each costs several times as much before. */
    private static void warm(S3BlobStore store, URI clip) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (Blob blob = store.open(clip)) {
            List<Callable<Boolean>> reads = new ArrayList<>();
            for (int i = 0; i < WARMING_READS; i++) {
                reads.add(() -> {
                    blob.read(0, ByteBuffer.allocateDirect(20_000));
                    return true;
                });
            }
            for (Future<Boolean> read : threads.invokeAll(reads)) {
                read.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    private Run run(String data, List<String> names, int read, int batches, double stepMillis) throws Exception {
        List<Episode> each = new ArrayList<>();
        for (String name : names) {
            each.addAll(Episodes.open(data + name).episodes());
        }
        Episodes episodes = Episodes.of(each);
        String camera = episodes.episodes().get(0).cameras().keySet().iterator().next();
        View view = View.builder()
                .video(VideoColumn.of(camera, Window.frames(16).every(EVERY), Size.of(224, 224))
                        .layout(Layout.TCHW))
                .anchors(Anchors.everyFrames(1))
                .build();
        try (Loader loader = Loader.builder(episodes, view)
                .batchSize(8)
                .shuffle(Shuffle.full(7))
                .readConcurrency(read)
                .decodeConcurrency(DECODERS)
                .prefetch(4)
                .build()) {
            CpuByThread before = CpuByThread.now();
            Duration serverBefore = link.cpu();
            Progress unseen = new Progress(new PrintWriter(Writer.nullWriter()), "batch");
            new TrainingLoop(stepMillis, unseen).run(loader, batches, batches, batch -> {});
            DataWaitReport report = loader.dataWait();
            StageStats decode = report.stages().get(1);
            long decoderTime = report.wallNanos() * DECODERS;
            return new Run(
                    report.batchesPerSecond(),
                    1 - (double) decode.takeWaitNanos() / decoderTime,
                    CpuByThread.now().millisSince(before, batches),
                    link.cpu().minus(serverBefore).toNanos() / 1e6 / batches,
                    report);
        }
    }

    private static void say(String what, List<Run> runs) {
        Run last = runs.get(runs.size() - 1);
        LOG.info(String.format(
                Locale.ROOT,
                "%s: %.1f batches/s, decoders fed %.1f %% of the time, %.1f ms of CPU a batch (server %.1f), lowest %s"
                        + " (medians of %d; the last run follows)%n%s%n%s",
                what,
                median(runs, Run::rate),
                100 * median(runs, Run::fed),
                median(runs, Run::ownCpu),
                median(runs, Run::server),
                last.report().bottleneck(),
                runs.size(),
                last.cpu(),
                last.report().text()));
    }

    private static double median(List<Run> runs, java.util.function.ToDoubleFunction<Run> figure) {
        return runs.stream()
                .sorted(Comparator.comparingDouble(figure))
                .mapToDouble(figure)
                .toArray()[runs.size() / 2];
    }
}
