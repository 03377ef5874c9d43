package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.LoaderState;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 at random moments, then resume from the last saved state, until the epoch is through: the batches are those of
 * the unbroken run, each of them, with the same bytes. {@code -Dpenstock.kill.rounds=N} goes through that many epochs.
 */
@Timeout(600)
class KillAndResumeTest {
    private static final int ROUNDS = Integer.getInteger("penstock.kill.rounds", 1);

    @TempDir
    static Path folder;

    private static String data = "";

    @BeforeAll
    static void makeData() throws Exception {
        data = DemoDataset.make(
                        folder.resolve("data"),
                        DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)),
                        (done, total) -> {})
                .toString();
    }

    private static Process digest(int epoch, Path state) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "digest",
                data,
                "--camera",
                "front",
                "--frames",
                "4",
                "--size",
                "96x64",
                "--batch",
                "2",
                "--seed",
                "7",
                "--per-batch",
                "--save-state",
                state.toString()));
        command.addAll(
                Files.exists(state)
                        ? List.of("--resume", state.toString())
                        : List.of("--epoch", Integer.toString(epoch)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Number and digest of each batch, checked against what came before under the same number. */
    private static void note(String line, Map<Long, String> batches) {
        if (line.matches("\\d+ [0-9a-f]{64}")) {
            String[] parts = line.split(" ");
            String before = batches.put(Long.parseLong(parts[0]), parts[1]);
            if (before != null) {
                assertThat(parts[1]).as("batch %s came again", parts[0]).isEqualTo(before);
            }
        }
    }

    /** One run, killed after {@code lines} batches and some time more; whether it came to its end. */
    private static boolean run(int epoch, Path state, int lines, long moreNanos, NavigableMap<Long, String> batches)
            throws Exception {
        Process process = digest(epoch, state);
        long firstNew = batches.isEmpty() ? 0 : batches.lastKey() + 1;
        boolean first = true;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int seen = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                note(line, batches);
                if (first && line.contains(" ")) {
                    first = false; // the last batch of the run before may come again, when its state was not saved yet
                    assertThat(Long.parseLong(line.split(" ")[0])).isBetween(Math.max(0, firstNew - 1), firstNew);
                }
                if (++seen == lines) {
                    LockSupport.parkNanos(moreNanos);
                    process.toHandle()
                            .destroyForcibly(); // Process.destroyForcibly would close what it still has to say
                }
            }
        }
        return process.waitFor() == 0;
    }

    @Test
    void whatSurvivesKillsIsTheUnbrokenRun() throws Exception {
        SplittableRandom random = new SplittableRandom(99);
        int kills = 0;
        for (int round = 0; round < ROUNDS; round++) {
            TreeMap<Long, String> unbroken = new TreeMap<>();
            assertThat(run(round, folder.resolve("whole-" + round), -1, 0, unbroken))
                    .isTrue();
            int batches = unbroken.size();
            assertThat(batches).isGreaterThan(10);
            TreeMap<Long, String> survived = new TreeMap<>();
            Path state = folder.resolve("state-" + round);
            // three kills an epoch, at batches and instants that the seed chooses
            while (!run(round, state, 1 + random.nextInt(batches / 3), random.nextLong(8_000_000), survived)) {
                kills++;
                if (Files.exists(state) && LoaderState.load(state).epoch() > round) { // never half a state
                    break; // killed between its last batch and its end
                }
            }
            assertThat(survived).isEqualTo(unbroken);
        }
        assertThat(kills).isGreaterThanOrEqualTo(2);
        System.out.println(kills + " kills in " + ROUNDS + " epochs: every batch as in the unbroken run");
    }
}
