package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mutated clips in a JVM of their own: no crash, no hang, no memory past the limits. {@code -Dpenstock.fuzz=10000}
 * makes it the long run.
 */
class ClipFuzzTest {
    @Test
    void mutatedClipsAreDecodedOrRefusedWithoutCrashOrHang(@TempDir Path folder) throws Exception {
        Path data = SharedData.file("odd").getParent();
        assertThat(data).isNotNull();
        int count = Integer.getInteger("penstock.fuzz", 120);
        assertThat(run(folder, data, 1, count)).startsWith("0 ");
    }

    /** 616: no packet is a key, which once led past the packet table's end. */
    @ParameterizedTest
    @ValueSource(longs = 616)
    void mutationsThatOnceFailedAreDecodedOrRefused(long seed, @TempDir Path folder) throws Exception {
        assertThat(run(folder, SharedData.file("odd").getParent(), seed, 1)).startsWith("0 ");
    }

    /** Exit code, the last seed begun, and what the child printed. */
    private static String run(Path folder, Path data, long first, int count) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Path seed = folder.resolve("seed");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx384m",
                        "-XX:ErrorFile=" + folder.resolve("hs_err.log"),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClipFuzz.class.getName(),
                        data.toString(),
                        Long.toString(first),
                        Integer.toString(count),
                        seed.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(log.toString()))
                .start();
        try {
            boolean ended = child.waitFor(120 + count, TimeUnit.SECONDS);
            String exit = ended ? Integer.toString(child.exitValue()) : "hung";
            return exit + " at seed " + Files.readString(seed) + ": " + Files.readString(log);
        } finally {
            child.destroyForcibly();
        }
    }
}
