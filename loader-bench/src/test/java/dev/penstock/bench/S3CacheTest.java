package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk cache under whole commands: two processes on one folder while others are killed (SIGKILL) in mid-epoch, and a
 * full disk. Always the local folder's digest. More victims: {@code penstock.s3.victims}.
 */
class S3CacheTest {
    private static final int VICTIMS = Integer.getInteger("penstock.s3.victims", 1);

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private S3Bucket bucket;
    private String local = "";
    private String remote = "";

    @BeforeEach
    void start() throws Exception {
        Path index = DemoDataset.make(
                folder.resolve("data"), DemoSettings.STANDARD.length(2, 3).size(Size.of(160, 96)), (done, total) -> {});
        local = String.valueOf(index.getParent());
        System.setProperty("penstock.indexCache", folder.resolve("indexes").toString());
        bucket = S3Bucket.start(folder.resolve("server"));
        remote = bucket.upload(Path.of(local), "demo");
    }

    @AfterEach
    void end() {
        System.clearProperty("penstock.indexCache");
        started.forEach(process -> process.destroyForcibly().onExit().join());
        if (bucket != null) {
            bucket.close();
        }
    }

    private static List<String> digest(String data, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "digest",
                data,
                "--camera",
                "front",
                "--frames",
                "4",
                "--anchor-every",
                "1",
                "--size",
                "32x24",
                "--batch",
                "2",
                "--seed",
                "5",
                "--shuffle",
                "full"));
        all.addAll(List.of(more));
        return all;
    }

    private Said here() {
        return Said.by(digest(local).toArray(String[]::new));
    }

    @Test
    void twoProcessesShareAFolderWhileOthersAreKilledInMidEpoch() throws Exception {
        String right = here().lastLine();
        String cache = folder.resolve("cache").toString();
        SplittableRandom random = new SplittableRandom(19);
        Process first = process(digest(remote, "--cache", cache));
        Process second = process(digest(remote, "--cache", cache, "--read", "8"));
        for (int victim = 0; victim < VICTIMS; victim++) {
            Process killed = process(digest(remote, "--cache", cache, "--per-batch"));
            try (BufferedReader lines = killed.inputReader()) {
                int upTo = random.nextInt(1, 30);
                for (int line = 0; line < upTo; line++) {
                    assertThat(lines.readLine())
                            .as("seed 19, victim %d", victim)
                            .matches("[0-9]+ [0-9a-f]{64}");
                }
                killed.destroyForcibly().waitFor(); // SIGKILL
            }
        }
        assertThat(lastLine(first)).isEqualTo(right);
        assertThat(lastLine(second)).isEqualTo(right);
        bucket.proxy().forget();
        String[] again = digest(remote, "--cache", cache).toArray(String[]::new);
        assertThat(bucket.succeed(again).lastLine()).isEqualTo(right);
        assertThat(bucket.objectGets()).as("an epoch over a filled cache").isZero();
    }

    @Test
    void aFullDiskCostsTheCacheAndNoByte() throws Exception {
        Path small = Files.createDirectories(folder.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small.toString()) == 0,
                "no small tmpfs could be mounted: needs root and mount");
        try {
            String[] digest =
                    digest(remote, "--cache", small.resolve("cache").toString()).toArray(String[]::new);
            String right = here().lastLine();
            assertThat(bucket.run(digest).lastLine()).isEqualTo(right);
            assertThat(bucket.run(digest).lastLine()).isEqualTo(right);
            assertThat(small.toFile().getUsableSpace()).isLessThan(256 << 10); // a chunk more does not fit
        } finally {
            run("umount", "-l", small.toString());
        }
    }

    private Process process(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dpenstock.indexCache=" + folder.resolve("indexes"),
                "-Daws.accessKeyId=" + System.getProperty("aws.accessKeyId"),
                "-Daws.secretAccessKey=" + System.getProperty("aws.secretAccessKey"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(arguments);
        command.addAll(List.of("--endpoint", bucket.proxy().endpoint().toString(), "--region", "us-east-1"));
        command.add("--path-style");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        started.add(process);
        return process;
    }

    private static String lastLine(Process process) throws Exception {
        try (BufferedReader lines = process.inputReader()) {
            String last = lines.lines().reduce("", (a, b) -> b.isBlank() ? a : b);
            assertThat(process.waitFor()).as(last).isZero();
            return last;
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1; // the command is not there
        }
    }
}
