package dev.penstock.decode.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.decode.testkit.TruthRun;
import dev.penstock.view.Column;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A minute of a real drive (comma2k19): steering and speed at 83 Hz, an accelerometer at 104 Hz and GNSS at 10 Hz, each on
 * its own instants, picked at the times of 1200 camera frames. The expected values are worked out here in another way: a
 * look at every record, and exact decimal arithmetic.
 */
class OtherRatesTest {
    private static final Path LOGS =
            Path.of(System.getProperty("penstock.shared", "absent"), "datasets/comma2k19_logs/segment_40");
    private static final double TOLERANCE = 0.03;
    /** Times so near count as equal: truth is often written with six decimals. */
    private static final double EQUAL = 1e-6;

    /** The rows of a NumPy array. */
    private static final class Log {
        private Log() {}

        static double[][] read(String name) throws IOException {
            assumeTrue(Files.exists(LOGS), "the shared test data is absent: -Dpenstock.shared=DIR names it");
            ByteBuffer file =
                    ByteBuffer.wrap(Files.readAllBytes(LOGS.resolve(name))).order(ByteOrder.LITTLE_ENDIAN);
            int header = file.get(6) == 1 ? file.getShort(8) & 0xFFFF : file.getInt(8);
            int start = file.get(6) == 1 ? 10 : 12;
            String text = new String(file.array(), start, header, StandardCharsets.US_ASCII);
            assertThat(text).contains("'<f8'");
            boolean columnsFirst = text.contains("'fortran_order': True");
            Matcher shape = Pattern.compile("\\((\\d+),\\s*(\\d*)\\)").matcher(text);
            assertThat(shape.find()).isTrue();
            int columns = shape.group(2).isEmpty() ? 1 : Integer.parseInt(shape.group(2));
            double[][] rows = new double[Integer.parseInt(shape.group(1))][columns];
            for (int row = 0; row < rows.length; row++) {
                for (int i = 0; i < columns; i++) {
                    int number = columnsFirst ? i * rows.length + row : row * columns + i;
                    rows[row][i] = file.getDouble(start + header + 8 * number);
                }
            }
            return rows;
        }
    }

    private final Map<String, double[]> times = new LinkedHashMap<>();
    private final Map<String, double[][]> values = new LinkedHashMap<>();

    private String json() throws IOException {
        StringBuilder json = new StringBuilder("{");
        for (String name :
                new String[] {"CAN/speed", "CAN/steering_angle", "IMU/accelerometer", "GNSS/live_gnss_ublox"}) {
            String list = name.substring(name.indexOf('/') + 1);
            double[][] t = Log.read("processed_log/" + name + "/t");
            double[][] value = Log.read("processed_log/" + name + "/value");
            assertThat(t.length).isEqualTo(value.length);
            double[] seconds = new double[t.length];
            json.append(times.isEmpty() ? "" : ",").append('"').append(list).append("\":[");
            for (int i = 0; i < seconds.length; i++) {
                seconds[i] = t[i][0];
                json.append(i == 0 ? "" : ",\n")
                        .append("{\"time\":")
                        .append(seconds[i])
                        .append(",\"v\":");
                double[] row = value[i];
                json.append(row.length == 1 ? String.valueOf(row[0]) : Arrays.toString(row));
                json.append('}');
            }
            json.append(']');
            times.put(list, seconds);
            values.put(list, value);
        }
        return json.append('}').toString();
    }

    @Test
    void everyPickOfEveryFrameIsTheOneThatALookAtAllRecordsGives() throws IOException {
        String json = json();
        double[][] frames = Log.read("global_pose/frame_times");
        double[] anchors = new double[frames.length];
        for (int i = 0; i < anchors.length; i++) {
            anchors[i] = frames[i][0];
        }
        assertThat(anchors).hasSize(1200);
        int picked = 0;
        int refused = 0;
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("drive", json, "logs"))) {
            for (Map.Entry<String, double[][]> log : values.entrySet()) {
                int width = log.getValue()[0].length;
                for (Column.Pick pick : Column.Pick.values()) {
                    Column column = (width == 1 ? Column.float64() : Column.float64(width))
                            .field(log.getKey() + ".v")
                            .pick(pick)
                            .tolerance(TOLERANCE);
                    TruthRun.Memory batch = TruthRun.gather(truth, Map.of("v", column), anchors);
                    for (int i = 0; i < anchors.length; i++) {
                        double[] expected = expected(times.get(log.getKey()), log.getValue(), pick, anchors[i]);
                        String at = log.getKey() + " " + pick + " of frame " + i;
                        assertThat(batch.failures.containsKey(i)).as(at).isEqualTo(expected == null);
                        for (int k = 0; expected != null && k < width; k++) {
                            double tiny = pick == Column.Pick.LINEAR ? 1e-12 * Math.max(1, Math.abs(expected[k])) : 0;
                            assertThat(batch.tensor("v").getDouble(8 * (i * width + k)))
                                    .as(at)
                                    .isCloseTo(expected[k], within(tiny));
                        }
                        picked += expected == null ? 0 : 1;
                        refused += expected == null ? 1 : 0;
                    }
                }
            }
        }
        assertThat(picked).isGreaterThan(10_000);
        assertThat(refused).isGreaterThan(0); // GNSS comes every 100 ms: half of the frames are farther away
    }

    private static double[] expected(double[] seconds, double[][] rows, Column.Pick pick, double instant) {
        int before = -1;
        int after = -1;
        for (int i = 0; i < seconds.length; i++) {
            if (seconds[i] <= instant && (before < 0 || seconds[i] > seconds[before])) {
                before = i;
            }
            if (seconds[i] >= instant && (after < 0 || seconds[i] < seconds[after])) {
                after = i;
            }
        }
        double back = before < 0 ? Double.POSITIVE_INFINITY : instant - seconds[before];
        double ahead = after < 0 ? Double.POSITIVE_INFINITY : seconds[after] - instant;
        return switch (pick) {
            case NEAREST -> Math.min(back, ahead) > TOLERANCE ? null : rows[back <= ahead ? before : after];
            case PREVIOUS -> {
                int last = ahead <= EQUAL ? after : before;
                yield last < 0 || instant - seconds[last] > TOLERANCE ? null : rows[last];
            }
            case LINEAR -> {
                if (before < 0 || after < 0 || Math.min(back, ahead) > TOLERANCE) {
                    yield null;
                }
                if (ahead <= EQUAL || back <= EQUAL) {
                    yield rows[ahead <= EQUAL ? after : before];
                }
                yield before == after ? rows[before] : between(seconds, rows, before, after, instant);
            }
        };
    }

    private static double[] between(double[] seconds, double[][] rows, int before, int after, double instant) {
        BigDecimal early = new BigDecimal(seconds[before]);
        BigDecimal weight = new BigDecimal(instant)
                .subtract(early)
                .divide(new BigDecimal(seconds[after]).subtract(early), MathContext.DECIMAL128);
        double[] value = new double[rows[before].length];
        for (int i = 0; i < value.length; i++) {
            BigDecimal from = new BigDecimal(rows[before][i]);
            value[i] = from.add(weight.multiply(new BigDecimal(rows[after][i]).subtract(from)))
                    .doubleValue();
        }
        return value;
    }
}
