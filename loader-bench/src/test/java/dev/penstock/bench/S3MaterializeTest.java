package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.arrow.ArrowFlags;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.spi.BlobStore;
import dev.penstock.view.Size;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An artifact in a bucket: runs that are killed at any of their requests, and the check of what is there. */
class S3MaterializeTest {
    private static final String[] VIEW = {"--camera", "front", "--frames", "4", "--size", "64x48"};

    @TempDir
    static Path folder;

    private static S3Bucket bucket;
    private static String source = "";

    @BeforeAll
    static void start() throws Exception {
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        bucket = S3Bucket.start(folder.resolve("server"));
        source = DemoDataset.make(
                        folder.resolve("demo"),
                        DemoSettings.STANDARD.length(2, 1).size(Size.of(160, 96)),
                        (done, total) -> {})
                .toString();
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
        bucket.proxy().plan(FaultPlan.none()).forget();
    }

    /** {@code -Dpenstock.kills=10} for more of them. */
    @Test
    void aRunIntoABucketKilledAtAnyWriteAndRunAgainEqualsAnUnbrokenOne() throws Exception {
        AtomicInteger writes = new AtomicInteger();
        bucket.proxy().plan(exchange -> count(exchange, writes));
        materialize("s3://data/unbroken/");
        Map<String, ByteBuffer> expected = objects("unbroken");
        int all = writes.get();
        assertThat(all).isGreaterThan(10);
        SplittableRandom random = new SplittableRandom(11);
        for (int kill = 0; kill < Integer.getInteger("penstock.kills", 2); kill++) {
            int moment = 1 + random.nextInt(all - 1); // the last one is the manifest
            String name = "killed-" + kill;
            assertThat(exitOfRunKilledAt(moment, "s3://data/" + name + "/"))
                    .as("killed at write %d", moment)
                    .isNotZero();
            assertThat(objects(name)).doesNotContainKey("manifest.json");
            long whole = objects(name).keySet().stream()
                    .filter(key -> key.endsWith("part.json"))
                    .count();
            assertThat(materialize("s3://data/" + name + "/"))
                    .as("killed at write %d", moment)
                    .contains((2 - whole) + " episodes written, " + whole + " kept");
            assertThat(objects(name)).as("killed at write %d", moment).isEqualTo(expected);
            assertThat(bucket.succeed("verify", "s3://data/" + name + "/").out())
                    .contains("sound; 2 episodes");
        }
    }

    @Test
    void verifyNamesWhatIsDamagedAndWhatIsMissingInABucket() throws Exception {
        String place = "s3://data/checked/";
        materialize(place);
        assertThat(bucket.succeed("verify", place).out()).contains("sound; 2 episodes");
        List<String> parts = objects("checked").keySet().stream()
                .filter(key -> key.endsWith("front.mp4"))
                .toList();
        assertThat(parts).hasSize(2);
        try (S3BlobStore store = S3Bucket.store(bucket.server().endpoint()).build()) {
            URI clip = URI.create(place).resolve(parts.get(0));
            byte[] bytes = store.readAll(clip);
            bytes[bytes.length / 2] ^= 1;
            store.write(clip, new ByteArrayInputStream(bytes), bytes.length);
            store.delete(URI.create(place).resolve(parts.get(1)));
        }
        Said said = bucket.run("verify", place);
        assertThat(said.code()).isEqualTo(Main.FAILED);
        assertThat(said.out()).contains("front.mp4: its SHA-256", "front.mp4: it is missing", "DAMAGED (2)");
    }

    @Test
    void aPlaceInABucketThatHoldsSomethingElseIsLeftAlone() throws Exception {
        try (S3BlobStore store = S3Bucket.store(bucket.server().endpoint()).build()) {
            store.write(URI.create("s3://data/thesis/chapter.txt"), new ByteArrayInputStream(new byte[3]), 3);
        }
        Said said = bucket.run(command("s3://data/thesis/"));
        assertThat(said.code()).isEqualTo(Main.FAILED);
        assertThat(said.err()).contains("not empty and is no artifact");
        assertThat(objects("thesis")).containsOnlyKeys("chapter.txt");
    }

    private static Fault count(FaultPlan.Exchange exchange, AtomicInteger writes) {
        if (exchange.method().equals("PUT")) {
            writes.incrementAndGet();
        }
        return Fault.NONE;
    }

    private static String[] command(String target) {
        List<String> all = new ArrayList<>(List.of("materialize", source, target, "--threads", "1"));
        all.addAll(List.of(VIEW));
        return all.toArray(String[]::new);
    }

    private static String materialize(String target) {
        return bucket.succeed(command(target)).out();
    }

    /** Kills a run (SIGKILL) when the server is about to get that write; its exit code. */
    private static int exitOfRunKilledAt(int moment, String target) throws Exception {
        AtomicInteger writes = new AtomicInteger();
        AtomicReference<Process> run = new AtomicReference<>();
        bucket.proxy().plan(exchange -> {
            Process process = run.get();
            Fault none = count(exchange, writes);
            if (writes.get() >= moment && process != null) {
                process.destroyForcibly();
            }
            return none;
        });
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                ArrowFlags.OPTION,
                "-Dpenstock.indexCache=" + folder.resolve("indexes"),
                "-Daws.accessKeyId=" + System.getProperty("aws.accessKeyId"),
                "-Daws.secretAccessKey=" + System.getProperty("aws.secretAccessKey"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        java.addAll(List.of(command(target)));
        java.addAll(
                List.of("--endpoint", bucket.proxy().endpoint().toString(), "--region", "us-east-1", "--path-style"));
        Process process = new ProcessBuilder(java)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        run.set(process);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        bucket.proxy().plan(FaultPlan.none());
        return process.exitValue();
    }

    /** Every object below a name, by its key. */
    private static Map<String, ByteBuffer> objects(String name) throws IOException {
        Map<String, ByteBuffer> found = new TreeMap<>();
        URI root = URI.create("s3://data/" + name + "/");
        try (S3BlobStore store = S3Bucket.store(bucket.server().endpoint()).build()) {
            collect(store, root, root, found);
        }
        return found;
    }

    private static void collect(BlobStore store, URI root, URI at, Map<String, ByteBuffer> into) throws IOException {
        for (BlobStore.Entry entry : store.list(at)) {
            if (entry.folder()) {
                collect(store, root, entry.uri(), into);
            } else {
                into.put(root.relativize(entry.uri()).toString(), ByteBuffer.wrap(store.readAll(entry.uri())));
            }
        }
    }
}
