package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one cache folder, some of them killed at any moment: every byte is right, and the folder keeps its limit. */
class DiskCacheProcessesTest {
    private static final long LIMIT = 3 << 20;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @Test
    void twoProcessesShareAFolderWhileOthersAreKilled() throws Exception {
        Path file = Files.write(folder.resolve("clip"), S3Fixture.bytes(11, 8 << 20));
        SplittableRandom random = new SplittableRandom(12);
        Process first = reader(file, 1, 300);
        Process second = reader(file, 2, 300);
        for (int victim = 0; victim < 3; victim++) {
            Process killed = reader(file, 10 + victim, 1_000_000);
            try (BufferedReader lines = killed.inputReader()) {
                int upTo = random.nextInt(1, 5);
                for (int i = 0; i < upTo; i++) {
                    assertThat(lines.readLine())
                            .as("seed 12, victim %d", victim)
                            .startsWith("read");
                }
                killed.destroyForcibly().waitFor(); // SIGKILL, in the midst of reads and writes
            }
        }
        assertRight(first);
        assertRight(second);
        assertRight(reader(file, 3, 100)); // finds what the others left, whatever state it is in
        assertThat(bytes(folder.resolve("cache/chunks-1"))).isLessThanOrEqualTo(LIMIT + LIMIT / 4);
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> process.destroyForcibly().onExit().join());
    }

    private Process reader(Path file, int seed, int reads) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CacheReader.class.getName(),
                        file.toString(),
                        folder.resolve("cache").toString(),
                        Long.toString(LIMIT),
                        Integer.toString(seed),
                        Integer.toString(reads))
                .redirectErrorStream(true)
                .start();
        started.add(process);
        return process;
    }

    private static void assertRight(Process process) throws Exception {
        try (BufferedReader lines = process.inputReader()) {
            String last = lines.lines().reduce("", (a, b) -> b.isBlank() ? a : b);
            assertThat(process.waitFor()).as(last).isZero();
            assertThat(last).startsWith("right").contains("damaged=0");
        }
    }

    private static long bytes(Path where) throws IOException {
        try (Stream<Path> all = Files.walk(where)) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }
}
