package dev.penstock.decode.ffmpeg;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The folder of real clips that the tests read where it is present. */
public final class SharedData {

    private SharedData() {}

    /** A file of the shared folder; the test is skipped where the folder is absent. */
    public static Path file(String name) {
        Path file =
                Path.of(System.getProperty("penstock.shared", "../shared/data")).resolve(name);
        assumeTrue(Files.exists(file), () -> "skipped: " + file + " is absent (see -Dpenstock.shared)");
        return file;
    }

    /** What an independent decoder says of each clip, by path. */
    public static JsonNode expected() {
        return JsonMapper.shared().readTree(file("expected.json").toFile()).get("files");
    }
}
