package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.s3.kit.S3Server;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line over a real S3 server, through a proxy that counts requests and breaks some. */
class S3EndToEndTest {
    private static final List<String> CLIPS = List.of("road_1280x720.mp4", "road_960x540.mp4", "car-detection.mp4");

    @TempDir
    Path folder;

    private S3Server server;
    private FaultProxy proxy;
    private Path local;

    @BeforeEach
    void start() throws IOException {
        Path shared = Path.of(System.getProperty("penstock.shared", "../shared/data"), "video");
        assumeThat(shared).as("the shared test data is absent: set penstock.shared").isDirectory();
        assumeThat(S3Server.available()).as("the S3 server's class path is absent").isTrue();
        System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        server = S3Server.start(folder);
        server.bucket("data");
        proxy = FaultProxy.start(server.endpoint());
        local = Files.createDirectories(folder.resolve("drives"));
        for (String clip : CLIPS) {
            Files.copy(shared.resolve(clip), local.resolve(clip));
        }
        inspect("s3://data/"); // registers the store for the upload
        BlobStore store = BlobStores.of(URI.create("s3://data/"));
        for (String clip : CLIPS) {
            Path file = local.resolve(clip);
            try (InputStream content = Files.newInputStream(file)) {
                store.write(URI.create("s3://data/drives/" + clip), content, Files.size(file));
            }
        }
    }

    @AfterEach
    void stop() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        System.clearProperty("penstock.indexCache");
        if (server != null) {
            proxy.close();
            server.close();
        }
    }

    @Test
    void theDigestOverS3EqualsTheLocalOneWithFaultsOnAndOff() throws IOException {
        String expected = digestOf(local.toString());
        assertThat(digestOf("s3://data/drives/")).isEqualTo(expected);
        proxy.plan(FaultPlan.mixed(
                9, 0.1, List.of(Fault.status(503), Fault.status(500), Fault.cut(2_000), Fault.reset(100), Fault.refuse())));
        assertThat(digestOf("s3://data/drives/")).isEqualTo(expected);
        assertThat(proxy.injected(Fault.Kind.STATUS)
                        + proxy.injected(Fault.Kind.CUT)
                        + proxy.injected(Fault.Kind.RESET)
                        + proxy.injected(Fault.Kind.REFUSE))
                .isPositive();
    }

    @Test
    void aSecondEpochThroughTheCacheMakesNoGet() throws IOException {
        String[] cache = {"--cache", folder.resolve("cache").toString(), "--cache-size", "1g"};
        String expected = digestOf(local.toString());
        assertThat(digestOf("s3://data/drives/", cache)).isEqualTo(expected);
        proxy.forget();
        assertThat(digestOf("s3://data/drives/", cache)).isEqualTo(expected);
        assertThat(proxy.seen())
                .filteredOn(exchange -> exchange.method().equals("GET") && !exchange.range().isEmpty())
                .isEmpty();
    }

    @Test
    void fewRequestsAndFewBytesPerWindowOnceIndexed() throws IOException {
        digestOf("s3://data/drives/"); // indexes the clips
        proxy.forget();
        digestOf("s3://data/drives/");
        long reads = proxy.seen().stream()
                .filter(exchange -> exchange.method().equals("GET") && !exchange.range().isEmpty())
                .count();
        long windows = 39; // 38 + 221 + 377 frames in windows of 16
        assertThat((double) reads / windows).as("requests per window").isLessThan(1.5);
    }

    private String digestOf(String path, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("digest", path, "--size", "64x64", "--seed", "3", "--batch", "4"));
        arguments.addAll(s3());
        arguments.addAll(List.of(more));
        return run(arguments);
    }

    private void inspect(String path) {
        StringWriter ignored = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("inspect", path));
        arguments.addAll(s3());
        Main.commandLine()
                .setOut(new PrintWriter(ignored))
                .setErr(new PrintWriter(ignored))
                .execute(arguments.toArray(String[]::new));
    }

    private List<String> s3() {
        return List.of("--endpoint", proxy.endpoint().toString(), "--region", "us-east-1", "--path-style");
    }

    private static String run(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        assertThat(code).as(err.toString()).isEqualTo(Main.OK);
        return out.toString().strip();
    }
}
