package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.StorageUse;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.S3Metrics;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Anchors;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What indexing and random windows cost in requests and bytes, as the server's side sees it. */
class S3WindowsTest {
    private static final Logger LOG = LoggerFactory.getLogger(S3WindowsTest.class);
    private static final int WINDOWS = Integer.getInteger("penstock.s3.hiWindows", 100);

    @TempDir
    Path folder;

    private S3Bucket bucket;
    private S3BlobStore store;

    @BeforeEach
    void start() throws Exception {
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        bucket = S3Bucket.start(folder.resolve("server"));
        store = S3Bucket.register(S3Bucket.store(bucket.proxy().endpoint()).build());
    }

    @AfterEach
    void end() {
        System.clearProperty("penstock.indexCache");
        if (store != null) {
            store.close();
        }
        if (bucket != null) {
            bucket.close();
        }
    }

    private static View view(Episodes episodes) {
        String camera = episodes.episodes().get(0).cameras().keySet().iterator().next();
        return View.builder()
                .video(camera, Window.frames(16), Size.of(64, 36))
                .anchors(Anchors.everyFrames(1))
                .build();
    }

    @Test
    void randomWindowsOfLongGroupsOfPicturesFetchWhatTheyNeedByOneRequestOrLittleMore() throws Exception {
        List<Path> clips = SmallClips.shared("hi_");
        Path uploads = Files.createDirectories(folder.resolve("hi"));
        for (Path clip : clips) {
            Files.copy(clip, uploads.resolve(clip.getFileName()));
        }
        Episodes episodes = Episodes.open(bucket.upload(uploads, "hi"));
        try (SampleSource source = episodes.bind(view(episodes))) {
            SplittableRandom random = new SplittableRandom(5);
            ByteBuffer memory = ByteBuffer.allocateDirect(Math.toIntExact(source.largestRead()));
            S3Metrics before = store.metrics();
            bucket.proxy().forget();
            long needed = 0;
            for (int i = 0; i < WINDOWS; i++) {
                DecodeWork window = source.plan(new long[] {random.nextLong(source.size())}, new int[] {0}, 1)
                        .get(0);
                for (int range = 0; range < window.ranges(); range++) {
                    window.blob(range).read(window.offset(range), memory.clear().limit(window.length(range)));
                }
                needed += window.neededLength();
            }
            double requests = (double) bucket.proxy().seen().size() / WINDOWS;
            double bytes = (double) bucket.proxy().bodyBytes() / needed;
            LOG.info(
                    "{} windows of 16 frames, 1080p, GOP 250: {} requests a window, {} bytes fetched per needed byte",
                    WINDOWS,
                    requests,
                    bytes);
            assertThat(requests).isLessThan(1.5);
            assertThat(bytes).isLessThan(1.3).isGreaterThanOrEqualTo(1);
            assertThat(store.metrics().since(before).bytesFetched())
                    .isEqualTo(bucket.proxy().bodyBytes());
        }
        theReportSaysTheSame(episodes);
    }

    private void theReportSaysTheSame(Episodes episodes) throws Exception {
        bucket.proxy().forget();
        try (Loader loader = Loader.builder(episodes, view(episodes))
                .batchSize(1)
                .readConcurrency(1)
                .shuffle(Shuffle.full(3))
                .decodeConcurrency(2)
                .prefetch(1)
                .build()) {
            int taken = 0;
            for (Batch batch : loader) {
                taken += batch.size();
                if (taken >= 3) {
                    break;
                }
            }
            StorageUse use = loader.dataWait().storage();
            assertThat(use.neededBytes()).isPositive();
            assertThat(use.fetchedPerNeeded()).isBetween(0.9, 1.6); // reads under way count in one and not in the other
            assertThat(use.stores().get(0).store()).isEqualTo("s3");
        }
    }

    @Test
    void anIndexIsBuiltFromRangesWhereverItsTablesStand() throws Exception {
        Path shared = Path.of(System.getProperty("penstock.shared", ""));
        Assumptions.assumeTrue(Files.isDirectory(shared.resolve("video")), "shared clips are absent: " + shared);
        List<Path> clips = List.of(
                shared.resolve("bench/hi_0.mp4"), // index first
                shared.resolve("video/nasa_13013.mp4"), // moov at the end
                shared.resolve("video/bottle-detection.mp4"), // moov at the end
                shared.resolve("odd/fragmented.mp4"));
        Path uploads = Files.createDirectories(folder.resolve("clips"));
        for (Path clip : clips) {
            Files.copy(clip, uploads.resolve(clip.getFileName()));
        }
        String remote = bucket.upload(uploads, "clips");
        for (Path clip : clips) {
            bucket.proxy().forget();
            Said remoteIndex = Said.by(
                    "index",
                    remote + clip.getFileName(),
                    "--endpoint",
                    bucket.proxy().endpoint().toString(),
                    "--path-style",
                    "--region",
                    "us-east-1");
            assertThat(remoteIndex.code()).as(remoteIndex.err()).isZero();
            assertThat(remoteIndex.out())
                    .isEqualTo(Said.by("index", clip.toString()).out());
            long bytes = bucket.proxy().bodyBytes();
            LOG.info(
                    "{} of {} bytes, indexed with {} requests and {} bytes",
                    clip.getFileName(),
                    Files.size(clip),
                    bucket.proxy().seen().size(),
                    bytes);
            if (Files.size(clip) > 400_000) {
                assertThat(bytes).as("%s", clip).isLessThan(Files.size(clip) / 2);
            }
            assertThat(bucket.objectGets()).as("%s", clip).isLessThan(12);
            assertThat(bucket.proxy().seen().stream().filter(S3Bucket::isObjectGet))
                    .allMatch(get -> get.range().startsWith("bytes="));
        }
        bucket.proxy().forget();
        S3Bucket.register(store);
        Episodes episodes = Episodes.open(remote);
        try (SampleSource source = episodes.bind(view(episodes))) {
            assertThat(source.size()).isPositive();
        }
        bucket.proxy().forget();
        Episodes again = Episodes.open(remote);
        again.bind(view(again)).close();
        assertThat(bucket.objectGets())
                .as("indexes kept from the binding before")
                .isZero();
    }
}
