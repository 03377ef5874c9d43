package dev.penstock.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.probe.WorkProbe.Stage;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExportersTest {

    @TempDir
    Path folder;

    @Test
    void micrometerCountsWaitsStepsAndWorkByStage() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        MicrometerProbe probe = new MicrometerProbe(registry, Tags.of("rank", "0"));
        probe.delivered(0, 0, 5_000_000, 0);
        probe.delivered(0, 1, 3_000_000, 20_000_000);
        probe.worked(Stage.DECODE, 0, 1, 0, 1, 7_000_000, 6_000_000, 640);
        assertThat(registry.get("penstock.data.wait").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(8);
        assertThat(registry.get("penstock.step").timer().count()).isEqualTo(1);
        assertThat(registry.get("penstock.batches").tag("rank", "0").counter().count())
                .isEqualTo(2);
        assertThat(registry.get("penstock.work").tag("stage", "decode").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
        assertThat(registry.get("penstock.work.bytes")
                        .tag("stage", "decode")
                        .counter()
                        .count())
                .isEqualTo(640);
    }

    @Test
    void flightRecorderHoldsEachDeliveryAndPiece() throws Exception {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.penstock.Delivery");
            recording.enable("dev.penstock.Work");
            recording.start();
            JfrProbe probe = new JfrProbe();
            probe.delivered(2, 9, 5_000_000, 1_000);
            probe.worked(Stage.READ, 2, 9, 3, 1, 400, -1, 64);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.penstock."))
                .toList();
        assertThat(events)
                .extracting(event -> event.getLong("batch"))
                .containsOnly(9L)
                .hasSize(2);
        assertThat(events)
                .anyMatch(event -> event.hasField("dataWait") && event.getLong("dataWait") == 5_000_000)
                .anyMatch(event ->
                        event.hasField("stage") && event.getString("stage").equals("read"));
    }

    @Test
    void theTraceIsJsonWithOneSliceForEachEventUpToItsMost() throws Exception {
        Path file = folder.resolve("trace.json");
        try (TraceFile trace = new TraceFile(file, 2)) {
            trace.worked(Stage.READ, 0, 1, 0, 2_000, 3_000, -1, 64);
            trace.delivered(0, 1, 5_000, 0);
            trace.delivered(0, 2, 5_000, 0); // one too many
        }
        JsonNode events = new JsonMapper().readTree(Files.readString(file));
        assertThat(events.size()).isEqualTo(3);
        assertThat(events.get(0).get("ph").asString()).isEqualTo("M");
        assertThat(events.get(0).at("/args/name").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(events.get(1).get("name").asString()).isEqualTo("read");
        assertThat(events.get(1).get("ts").asDouble()).isEqualTo(2);
        assertThat(events.get(1).get("dur").asDouble()).isEqualTo(3);
        assertThat(events.get(2).get("name").asString()).isEqualTo("data wait");
    }

    @Test
    void aWorkProbeThatThrowsIsLeftOutAndTheOthersAreToldOn() {
        List<Long> told = new ArrayList<>();
        List<Long> failed = new ArrayList<>();
        WorkProbe all = CompositeWorkProbe.of(List.of(
                (stage, epoch, batch, piece, start, nanos, cpu, bytes) -> {
                    failed.add(batch);
                    throw new IllegalStateException("planted");
                },
                WorkProbe.NONE,
                (stage, epoch, batch, piece, start, nanos, cpu, bytes) -> told.add(batch)));
        for (long batch = 0; batch < 3; batch++) {
            all.worked(Stage.DECODE, 0, batch, 0, 0, 1, 1, 0);
        }
        assertThat(failed).containsExactly(0L);
        assertThat(told).containsExactly(0L, 1L, 2L);
        assertThat(CompositeWorkProbe.of(List.of(WorkProbe.NONE))).isSameAs(WorkProbe.NONE);
    }

    @Test
    void theRecorderPairsReadAndDecodeOfAPieceAndForgetsEpochsThatWereLeft() {
        ServiceRecorder recorder = new ServiceRecorder(2, 2);
        recorder.worked(Stage.READ, 0, 7, 0, 0, 10, 1, 64); // of an epoch that is left
        for (int batch = 0; batch < 3; batch++) {
            recorder.worked(Stage.READ, 1, batch, 0, 0, 10, 1, 64);
            recorder.worked(Stage.DECODE, 1, batch, 0, 0, 100, 90, 0);
            recorder.worked(Stage.COLLATE, 1, batch, -1, 0, 5, 5, 0);
            recorder.delivered(1, batch, 20, 80);
        }
        ServiceTimes times = recorder.times();
        assertThat(times.batches())
                .hasSize(2)
                .extracting(ServiceTimes.BatchTimes::batch)
                .containsExactly(1L, 2L);
        assertThat(times.batches().get(0).pieces())
                .containsExactly(
                        new ServiceTimes.Piece(new ServiceTimes.Work(10, 1), new ServiceTimes.Work(100, 90), 64));
        assertThat(times.measuredWaitShare()).isEqualTo(0.2);
    }
}
