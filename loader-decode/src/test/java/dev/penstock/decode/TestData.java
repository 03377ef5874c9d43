package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The folder of real clips, and what an independent decoder says of them. Tests are skipped where it is absent. */
final class TestData {
    /** Levels that a mean may be off: two decoders' colour conversions differ by rounding. */
    private static final double LEVELS = 2;

    private TestData() {}

    static Path path(String name) {
        Path path = Path.of(System.getProperty("penstock.shared", "../shared/data"))
                .toAbsolutePath()
                .normalize()
                .resolve(name);
        assumeTrue(Files.exists(path), () -> "skipped: " + path + " is absent (see -Dpenstock.shared)");
        return path;
    }

    static JsonNode expected(String clip) {
        JsonNode all =
                JsonMapper.shared().readTree(path("expected.json").toFile()).get("files");
        JsonNode one = all.get(clip);
        if (one == null) {
            throw new AssertionError("expected.json knows no " + clip);
        }
        return one;
    }

    /** Numbers of the frames whose means are known. */
    static List<Integer> knownFrames(String clip) {
        List<Integer> frames = new ArrayList<>();
        expected(clip)
                .get("frames")
                .forEach(frame -> frames.add(frame.get("index").intValue()));
        return frames;
    }

    /** Whether frame {@code i} of a row of a uint8 THWC tensor has the means of that frame of the clip. */
    static void assertIsFrame(TestBatch batch, String tensor, int row, int i, String clip, int frame) {
        for (JsonNode known : expected(clip).get("frames")) {
            if (known.get("index").intValue() == frame) {
                double[] got = {
                    batch.mean(tensor, row, i, 0), batch.mean(tensor, row, i, 1), batch.mean(tensor, row, i, 2)
                };
                for (int channel = 0; channel < 3; channel++) {
                    assertThat(got[channel])
                            .as("%s frame %d, channel %d of row %d, window frame %d", clip, frame, channel, row, i)
                            .isCloseTo(
                                    known.get("mean_rgb").get(channel).doubleValue(),
                                    org.assertj.core.api.Assertions.within(LEVELS));
                }
                return;
            }
        }
        throw new AssertionError("no means of frame " + frame + " of " + clip + " are known");
    }

    /** A dataset whose clip indexes stay in memory, so that a test leaves no file. */
    static Episodes inMemory(Episodes episodes) {
        return episodes.with(DecodeSettings.DEFAULT.indexes(DecodeSettings.Indexes.IN_MEMORY));
    }

    /** One episode with one camera {@code front}. */
    static Episodes one(Path clip) {
        return inMemory(Episodes.of("test", List.of(Episode.of("e", Map.of("front", Clip.of(clip.toUri()))))));
    }
}
