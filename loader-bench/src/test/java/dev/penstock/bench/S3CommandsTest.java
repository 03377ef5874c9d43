package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.view.Size;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every command over a real S3 server says what it says over the same files here; what can't work is said clearly. */
class S3CommandsTest {
    /** Ways to fail that the protocol lets a reader notice. */
    static final List<Fault> FAULTS = List.of(
            Fault.status(503),
            Fault.status(500),
            Fault.cut(0),
            Fault.cut(3_000),
            Fault.reset(2_000),
            Fault.refuse(),
            Fault.shorter(1),
            Fault.delay(Duration.ofMillis(50)));

    @TempDir
    static Path folder;

    private static S3Bucket bucket;
    private static String local = "";
    private static String remote = "";

    @BeforeAll
    static void makeData() throws Exception {
        Path index = DemoDataset.make(
                folder.resolve("data"), DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)), (done, total) -> {});
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

    @BeforeEach
    @AfterEach
    void noFaults() {
        bucket.proxy().plan(FaultPlan.none()).forget();
        S3Bucket.rightCredentials();
    }

    private static String[] digest(String data, String... more) {
        return args(
                List.of(more),
                "digest",
                data,
                "--camera",
                "front",
                "--camera",
                "left",
                "--frames",
                "4",
                "--size",
                "32x24",
                "--batch",
                "3",
                "--seed",
                "7");
    }

    private static String[] args(List<String> more, String... first) {
        List<String> all = new java.util.ArrayList<>(List.of(first));
        all.addAll(more);
        return all.toArray(String[]::new);
    }

    @Test
    void theDigestIsThatOfTheLocalFolderWithFaultsAndWithout() {
        String here = Said.by(digest(local)).lastLine();
        assertThat(here).matches("[0-9a-f]{64}");
        assertThat(bucket.succeed(digest(remote)).lastLine()).isEqualTo(here);
        bucket.proxy().plan(FaultPlan.mixed(11, 0.15, FAULTS));
        assertThat(bucket.succeed(digest(remote, "--read", "8")).lastLine()).isEqualTo(here);
        long injected = FAULTS.stream()
                .map(Fault::kind)
                .distinct()
                .mapToLong(kind -> bucket.proxy().injected(kind))
                .sum();
        assertThat(injected).isPositive();
        bucket.proxy().plan(FaultPlan.none());
        assertThat(bucket.succeed(digest(remote, "--epoch", "1")).lastLine())
                .isEqualTo(Said.by(digest(local, "--epoch", "1")).lastLine());
    }

    @Test
    void aSecondEpochThroughTheCacheMakesNoGet() {
        String cache = folder.resolve("cache").toString();
        String[] run = {
            "digest", remote, "--camera", "front", "--frames", "4", "--size", "32x24", "--cache", cache, "--seed", "3"
        };
        String first = bucket.succeed(run).lastLine();
        assertThat(bucket.objectGets()).isPositive();
        bucket.proxy().forget();
        assertThat(bucket.succeed(run).lastLine()).isEqualTo(first);
        assertThat(bucket.objectGets()).isZero();
        Said said = bucket.succeed(
                "run", remote, "--camera", "front", "--frames", "4", "--size", "32x24", "--cache", cache);
        assertThat(said.out()).contains("cache hits 100.0 %").contains("fetched 0 B");
        assertThat(bucket.objectGets()).isZero();
    }

    @Test
    void aCommandThatEndedHasNoConnectionAndNoThreadLeft() {
        bucket.succeed(digest(remote, "--cache", folder.resolve("closed").toString()));
        assertThat(bucket.run("inspect", "s3://data/nothing/").code()).isEqualTo(Main.FAILED);
        Awaitility.await().until(() -> bucket.proxy().connections() == 0);
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("penstock-s3-io")));
    }

    @Test
    void inspectAndPlanSayTheSame() {
        Said inspect = bucket.succeed("inspect", remote);
        assertThat(inspect.out().replace(remote, local + "/"))
                .isEqualTo(Said.by("inspect", local).out());
        String[] plan = {"--camera", "front", "--frames", "4", "--size", "32x24", "--seed", "7"};
        assertThat(bucket.succeed(args(List.of(plan), "plan", remote)).out())
                .isEqualTo(Said.by(args(List.of(plan), "plan", local)).out());
    }

    @Test
    void framesAndIndexSayTheSame() {
        String clip = "clips/0_front.mp4";
        assertThat(bucket.succeed("index", remote + clip).out())
                .isEqualTo(Said.by("index", local + "/" + clip).out());
        String[] which = {"--index", "0,7,20", "--json"};
        assertThat(bucket.succeed(args(List.of(which), "frames", remote + clip)).out())
                .isEqualTo(Said.by(args(List.of(which), "frames", local + "/" + clip))
                        .out());
    }

    @Test
    void runAndRooflineReportWhatTheStoreDid() throws Exception {
        Path json = folder.resolve("report.json");
        bucket.proxy().plan(FaultPlan.first(S3Bucket::isObjectGet, Fault.cut(100), Fault.status(503)));
        Said run = bucket.succeed(
                "run",
                remote,
                "--camera",
                "front",
                "--frames",
                "4",
                "--size",
                "32x24",
                "--epochs",
                "1",
                "--json",
                json.toString());
        assertThat(run.out())
                .contains("storage     needed")
                .contains("requests   retries")
                .contains("first byte");
        JsonNode store = new JsonMapper()
                .readTree(json.toFile())
                .get("storage")
                .get("stores")
                .get(0);
        assertThat(store.get("store").stringValue()).isEqualTo("s3");
        assertThat(store.get("requests").longValue()).isPositive();
        assertThat(store.get("firstByteNanos").longValue()).isPositive();
        Said roofline = bucket.succeed(
                "roofline",
                remote,
                "--camera",
                "front",
                "--frames",
                "4",
                "--size",
                "32x24",
                "--step-ms",
                "1",
                "--seconds",
                "0.2",
                "--rounds",
                "1",
                "--decode-sweep",
                "1");
        assertThat(roofline.out()).contains("read");
    }

    @Test
    void slowFirstBytesAreHedgedWhereTheUserAllowsIt() throws Exception {
        String[] run = {
            "run", remote, "--camera", "front", "--frames", "4", "--size", "32x24", "--batch", "1", "--epochs", "10"
        };
        FaultPlan slow = exchange -> S3Bucket.isObjectGet(exchange) && exchange.number() % 40 == 39
                ? Fault.delay(Duration.ofMillis(500))
                : Fault.NONE;
        bucket.proxy().plan(slow);
        assertThat(hedges(bucket.succeed(run))).isZero();
        Said said = bucket.succeed(args(List.of("--hedge", "0.1"), run));
        assertThat(hedges(said)).as(said.out()).isPositive();
    }

    /** Of all epochs' reports. */
    private static long hedges(Said said) {
        assertThat(said.out()).contains("hedges ");
        return Pattern.compile("hedges (\\d+)")
                .matcher(said.out())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    @Test
    void anOutageIsRiddenOutForAsLongAsTheUserSays() {
        bucket.proxy().plan(FaultPlan.always(Fault.status(500)));
        Said said = bucket.run("inspect", remote, "--retry-for", "0.5");
        assertThat(said.code()).isEqualTo(Main.FAILED);
        assertThat(said.err()).contains("bucket data").contains("(at most 20 in 0.5 s)");
    }

    @Test
    void wrongSettingsOfTheStoreAreWrongUsage() {
        Said said = bucket.run("inspect", remote, "--hedge", "2", "--requests", "0");
        assertThat(said.code()).isEqualTo(Main.USAGE);
        assertThat(said.err())
                .contains("hedge's budget was 2.0, must be from 0 to 1")
                .contains("concurrency was 0, must be at least 1");
        assertThat(bucket.run("inspect", remote, "--retry-for", "-1").err()).contains("totalTimeout was");
    }

    @Test
    void wrongCredentialsAreOneLineWithBucketAndKeyAndWhatToCheck() {
        System.setProperty("aws.secretAccessKey", "wrong");
        Said said = bucket.run("inspect", remote);
        assertThat(said.code()).isEqualTo(Main.FAILED);
        assertThat(said.err().lines().findFirst().orElse(""))
                .contains("bucket data")
                .contains("key demo/")
                .contains("refused")
                .contains("check the credentials");
    }

    @Test
    void whatIsAbsentIsOneLineWithBucketAndKeyAndWhatToCheck() {
        Said clip = bucket.run("frames", "s3://data/demo/clips/nothing.mp4");
        assertThat(clip.code()).isEqualTo(Main.FAILED);
        assertThat(clip.err().lines().findFirst().orElse(""))
                .contains("bucket data")
                .contains("key demo/clips/nothing.mp4")
                .contains("does not exist")
                .contains("check bucket, key and endpoint");
        Said wrongBucket = bucket.run("inspect", "s3://nowhere/demo/");
        assertThat(wrongBucket.code()).isEqualTo(Main.FAILED);
        assertThat(wrongBucket.err().lines().findFirst().orElse(""))
                .contains("bucket nowhere")
                .contains("does not exist")
                .contains("check bucket");
        Said noFolder = bucket.run("inspect", "s3://data/nothing/");
        assertThat(noFolder.code()).isEqualTo(Main.FAILED);
        assertThat(noFolder.err()).contains("s3://data/nothing/ is no dataset: it does not exist or is empty");
    }

    @Test
    void aClipReplacedInMidEpochEndsTheRunWithBucketAndKeyAndWhatToDo() throws Exception {
        String data = bucket.upload(Path.of(local), "replaced");
        byte[] other = Files.readAllBytes(Path.of(local, "clips", "1_front.mp4"));
        AtomicInteger gets = new AtomicInteger();
        FaultPlan replacing = exchange -> {
            boolean clip = S3Bucket.isObjectGet(exchange) && exchange.path().contains("0_front.mp4");
            if (clip && gets.incrementAndGet() == 8) {
                replace(URI.create(data + "clips/0_front.mp4"), other);
            }
            return Fault.NONE;
        };
        bucket.proxy().plan(replacing);
        Said said = bucket.run(
                "run", data, "--camera", "front", "--frames", "4", "--size", "32x24", "--batch", "1", "--epochs", "50");
        assertThat(gets.get()).isGreaterThanOrEqualTo(8);
        assertThat(said.code()).isEqualTo(Main.FAILED);
        assertThat(said.err())
                .contains("bucket data")
                .contains("key replaced/clips/0_front.mp4")
                .contains("it was replaced after it was opened")
                .contains("do not write into a dataset that is being read");
    }

    private static void replace(URI uri, byte[] content) {
        try (S3BlobStore store = S3Bucket.store(bucket.server().endpoint()).build()) {
            store.write(uri, new ByteArrayInputStream(content), content.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
