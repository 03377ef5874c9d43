package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory stays flat over many windows, in a JVM of its own. {@code -Dpenstock.soak=100000} makes it the long run. */
class DecodeSoakTest {
    private static final Logger LOG = LoggerFactory.getLogger(DecodeSoakTest.class);

    @Test
    void residentMemoryStaysFlatWhileDecodersAreEvicted(@TempDir Path folder) throws Exception {
        assumeThat(Path.of("/proc/self/status"))
                .as("resident memory is read from /proc")
                .exists();
        Path data = SharedData.file("odd").getParent();
        int windows = Integer.getInteger("penstock.soak", 1_500);
        Path log = folder.resolve("log");
        ProcessBuilder soak = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Xms128m",
                        "-XX:+AlwaysPreTouch",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DecodeSoak.class.getName(),
                        data.toString(),
                        Integer.toString(windows))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        soak.environment().put("MALLOC_ARENA_MAX", "1");
        Process child = soak.start();
        try {
            assertThat(child.waitFor(300 + windows / 20, TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
            String said = Files.readString(log);
            LOG.info("{}", said);
            assertThat(child.exitValue()).as(said).isZero();
        } finally {
            child.destroyForcibly();
        }
    }
}
