package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code penstock run --trace FILE --jfr FILE} writes of a real run. */
class ExportFilesTest {
    /** Times in the file have three decimals of a microsecond. */
    private static final double ROUNDING = 0.002;

    @TempDir
    static Path folder;

    private static final List<Slice> slices = new ArrayList<>();
    private static final Map<Long, String> tracks = new HashMap<>();

    private record Slice(String name, long track, double from, double to, long batch, int piece) {}

    @BeforeAll
    static void trainOnce() throws Exception {
        Path data = DemoDataset.make(
                folder.resolve("data"), DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)), (done, total) -> {});
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(
                        "run",
                        data.toString(),
                        "--camera=front",
                        "--camera=left",
                        "--frames=4",
                        "--size=32x24",
                        "--batch=4",
                        "--step-ms=1",
                        "--trace=" + folder.resolve("trace.json"),
                        "--jfr=" + folder.resolve("run.jfr"));
        assertThat(code).as(err.toString()).isZero();
        for (JsonNode event : new JsonMapper().readTree(Files.readString(folder.resolve("trace.json")))) {
            long track = event.get("tid").asLong();
            assertThat(event.get("pid").asInt()).isEqualTo(1);
            if (event.get("ph").asString().equals("M")) {
                assertThat(event.get("name").asString()).isEqualTo("thread_name");
                tracks.put(track, event.at("/args/name").asString());
            } else {
                assertThat(event.get("ph").asString()).isEqualTo("X");
                double from = event.get("ts").asDouble();
                slices.add(new Slice(
                        event.get("name").asString(),
                        track,
                        from,
                        from + event.get("dur").asDouble(),
                        event.at("/args/batch").asLong(),
                        event.at("/args/piece").asInt()));
            }
        }
    }

    @Test
    void slicesOfATrackLieBesideOrInsideOneAnotherAndEveryTrackHasAName() {
        assertThat(slices).hasSizeGreaterThan(30);
        Map<Long, List<Slice>> byTrack = new HashMap<>();
        slices.forEach(slice ->
                byTrack.computeIfAbsent(slice.track, t -> new ArrayList<>()).add(slice));
        assertThat(tracks.keySet()).isEqualTo(byTrack.keySet());
        byTrack.forEach((track, all) -> {
            all.sort(Comparator.comparingDouble(Slice::from));
            for (int i = 1; i < all.size(); i++) {
                Slice earlier = all.get(i - 1);
                Slice later = all.get(i);
                assertThat(later.from >= earlier.to - ROUNDING || later.to <= earlier.to + ROUNDING)
                        .as("%s crosses %s on %s", later, earlier, tracks.get(track))
                        .isTrue();
            }
        });
    }

    @Test
    void aPieceIsReadBeforeItIsDecodedBeforeItsBatchIsCollatedBeforeTheTrainersWaitEnds() {
        Map<Long, Slice> collated = new HashMap<>();
        Map<String, Slice> read = new HashMap<>();
        for (Slice slice : slices) {
            if (slice.name.equals("collate")) {
                collated.put(slice.batch, slice);
            } else if (slice.name.equals("read")) {
                read.put(slice.batch + "/" + slice.piece, slice);
            }
        }
        Set<String> seen = new HashSet<>();
        for (Slice slice : slices) {
            seen.add(slice.name);
            if (slice.name.equals("decode")) {
                assertThat(slice.from).isGreaterThanOrEqualTo(read.get(slice.batch + "/" + slice.piece).to - ROUNDING);
                assertThat(slice.to).isLessThanOrEqualTo(collated.get(slice.batch).from + ROUNDING);
            } else if (slice.name.equals("data wait")) {
                assertThat(slice.to).isGreaterThanOrEqualTo(collated.get(slice.batch).to - ROUNDING);
            }
        }
        assertThat(seen).containsExactlyInAnyOrder("read", "decode", "collate", "data wait");
    }

    @Test
    void theFlightRecordingHoldsAsManyEventsAsTheTrace() throws Exception {
        List<RecordedEvent> events = RecordingFile.readAllEvents(folder.resolve("run.jfr"));
        assertThat(count(events, "dev.penstock.Delivery"))
                .isEqualTo(slices.stream()
                        .filter(slice -> slice.name.equals("data wait"))
                        .count());
        assertThat(count(events, "dev.penstock.Work"))
                .isEqualTo(slices.stream()
                        .filter(slice -> !slice.name.equals("data wait"))
                        .count());
    }

    private static long count(List<RecordedEvent> events, String type) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .count();
    }
}
