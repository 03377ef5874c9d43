package dev.penstock.bench.jmh;

import dev.penstock.arrow.ArrowTruthWriter;
import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthAnchors;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthCollation;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthGather;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.spi.ReadRequest;
import dev.penstock.view.Column;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the truth of a batch costs the collate stage: 32 samples in random order, records of 2 KB of JSON of which the view
 * takes every field. The JSON's bytes have been read already, as the read stage does it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/java.nio=ALL-UNNAMED")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TruthBenchmark {
    static final int BATCHES = 16;
    private static final int SAMPLES = 32;
    private static final int EPISODES = 8;
    private static final int RECORDS = 600;

    /** One format's files, and batches that are ready to be collated. */
    @State(Scope.Thread)
    public static class Ready {
        /** What the truth is read from: JSON, or the Arrow file that a materializer writes. */
        @Param({"json", "arrow"})
        public String format = "json";

        private final List<EpisodeTruth> truths = new ArrayList<>();
        private final long[][] samples = new long[BATCHES][SAMPLES];
        private final @Nullable ReadRequest[] requests = new ReadRequest[BATCHES];
        private final @Nullable ByteBuffer[] bytes = new ByteBuffer[BATCHES];
        private final SplittableRandom random = new SplittableRandom(7);
        private @Nullable Path folder;
        private @Nullable TruthGather gather;
        private @Nullable TruthCollation collation;
        private @Nullable TruthMemory target;

        /** Writes and opens the files. */
        @Setup
        public void open() throws IOException {
            Path place = Files.createTempDirectory("penstock-truth");
            folder = place;
            List<TruthColumn> columns = TruthColumn.of(view());
            List<TruthBinding> bindings = new ArrayList<>();
            long length = 0;
            for (int i = 0; i < EPISODES; i++) {
                Path json = place.resolve(i + ".json");
                Files.write(json, records(new SplittableRandom(i)).getBytes(StandardCharsets.UTF_8));
                length += Files.size(json);
                EpisodeTruth truth = TruthTables.open(TruthInput.file(String.valueOf(i), json.toUri()));
                if (!format.equals("json")) {
                    Path arrow = place.resolve(i + ".arrow");
                    ArrowTruthWriter.write(truth, arrow);
                    truth.close();
                    truth = TruthTables.open(TruthInput.file(String.valueOf(i), arrow.toUri()));
                }
                truths.add(truth);
                bindings.add(TruthBinding.of(truth, columns, 0.05));
            }
            long record = length / (EPISODES * RECORDS);
            if (record < 1900 || record > 2100) {
                throw new IllegalStateException("a record has " + record + " bytes, 2 KB are meant");
            }
            BatchSpec spec = new BatchSpec(
                    columns.stream().map(c -> c.column().spec(c.tensor())).toList());
            gather = new TruthGather(columns, spec, anchors(bindings));
            collation = gather.newCollation();
            target = new TruthMemory(spec, SAMPLES);
        }

        private static TruthAnchors anchors(List<TruthBinding> bindings) {
            return new TruthAnchors() {
                @Override
                public TruthBinding truth(long sample) {
                    return bindings.get((int) (sample / RECORDS));
                }

                @Override
                public double seconds(long sample) {
                    return sample % RECORDS / 30.0 + 0.001;
                }

                @Override
                public double frameSeconds(long sample, int offset) {
                    return seconds(sample + offset);
                }
            };
        }

        /** Chooses samples and reads their bytes. */
        @Setup(Level.Invocation)
        public void read() throws IOException {
            for (int batch = 0; batch < BATCHES; batch++) {
                for (int i = 0; i < SAMPLES; i++) {
                    samples[batch][i] = random.nextInt(EPISODES * RECORDS);
                }
                ReadRequest request = Objects.requireNonNull(gather).request(samples[batch], SAMPLES);
                requests[batch] = request;
                if (request == null) {
                    continue;
                }
                ByteBuffer space = bytes[batch];
                if (space == null || space.capacity() < request.totalLength()) {
                    space = ByteBuffer.allocateDirect(2 * (int) request.totalLength());
                    bytes[batch] = space;
                }
                space.clear();
                for (int i = 0; i < request.ranges(); i++) {
                    space.limit(space.position() + request.length(i));
                    request.blob(i).read(request.offset(i), space);
                }
                space.flip();
            }
        }

        /** Closes and deletes the files. */
        @TearDown
        public void close() throws IOException {
            Objects.requireNonNull(collation).close();
            truths.forEach(EpisodeTruth::close);
            try (var files = Files.list(Objects.requireNonNull(folder))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(Objects.requireNonNull(folder));
        }
    }

    /** One batch. */
    @Benchmark
    @OperationsPerInvocation(BATCHES)
    public TruthMemory collate(Ready ready) {
        TruthMemory target = Objects.requireNonNull(ready.target);
        for (int batch = 0; batch < BATCHES; batch++) {
            target.clear();
            Objects.requireNonNull(ready.collation)
                    .collate(ready.samples[batch], SAMPLES, ready.requests[batch], ready.bytes[batch], target);
        }
        return target;
    }

    private static Map<String, Column> view() {
        Map<String, Column> view = new LinkedHashMap<>();
        view.put("position", Column.float32(3).field("ego.position"));
        view.put("rotation", Column.float32(4).field("ego.rotation"));
        view.put("velocity", Column.float32(3).field("ego.velocity"));
        view.put("steering", Column.float32());
        view.put("throttle", Column.float32());
        view.put("gear", Column.int32());
        view.put("braking", Column.bool());
        view.put("scene", Column.text());
        view.put("lanes", Column.float32(2, 16, 2));
        view.put("skeleton", Column.float32(17, 3));
        view.put("boxes", Column.ragged(ElementType.FLOAT32, 4).field("objects.box"));
        view.put("labels", Column.ragged(ElementType.INT32).field("objects.label"));
        view.put("scores", Column.ragged(ElementType.FLOAT32).field("objects.score"));
        return view;
    }

    private static String records(SplittableRandom random) {
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; i < RECORDS; i++) {
            json.append(i == 0 ? "" : ",\n").append("{\"time\":").append(i / 30.0);
            json.append(",\"ego\":{\"position\":").append(numbers(random, 3));
            json.append(",\"rotation\":").append(numbers(random, 4));
            json.append(",\"velocity\":").append(numbers(random, 3)).append('}');
            json.append(",\"steering\":")
                    .append(number(random))
                    .append(",\"throttle\":")
                    .append(number(random));
            json.append(",\"gear\":")
                    .append(random.nextInt(7))
                    .append(",\"braking\":")
                    .append(random.nextBoolean());
            json.append(",\"scene\":\"crossing ").append(random.nextInt(100)).append('"');
            json.append(",\"lanes\":[").append(rows(random, 16, 2)).append(',').append(rows(random, 16, 2));
            json.append("],\"skeleton\":").append(rows(random, 17, 3)).append(",\"objects\":[");
            int objects = random.nextInt(8, 12);
            for (int o = 0; o < objects; o++) {
                json.append(o == 0 ? "" : ",").append("{\"box\":").append(numbers(random, 4));
                json.append(",\"label\":").append(random.nextInt(20));
                json.append(",\"score\":").append(number(random)).append('}');
            }
            json.append("]}");
        }
        return json.append(']').toString();
    }

    private static String rows(SplittableRandom random, int rows, int columns) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            all.add(numbers(random, columns));
        }
        return "[" + String.join(",", all) + "]";
    }

    private static String numbers(SplittableRandom random, int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(number(random));
        }
        return "[" + String.join(",", all) + "]";
    }

    /** As people write truth: a few decimals. */
    private static String number(SplittableRandom random) {
        return String.valueOf(Math.round(random.nextDouble(-1000, 1000) * 1000) / 1000.0);
    }
}
