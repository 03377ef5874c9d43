package dev.penstock.lerobot.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every Parquet file of the shared sets gives the rows that an independent reader (hyparquet) saw in it. */
class ExpectedTablesTest {
    private static final Path SETS = Path.of(System.getProperty("penstock.shared", "absent"), "datasets");

    static Stream<Map.Entry<String, JsonNode>> tables() throws IOException {
        Path expected = SETS.resolve("expected_tables.json");
        assumeTrue(Files.exists(expected), "the shared test data is absent: -Dpenstock.shared=DIR names it");
        return new JsonMapper().readTree(expected.toFile()).properties().stream();
    }

    @ParameterizedTest
    @MethodSource("tables")
    void rowsAreThoseThatAnotherReaderSaw(Map.Entry<String, JsonNode> table) throws IOException {
        Path path = SETS.resolve(table.getKey());
        JsonNode expected = table.getValue();
        try (Blob blob = BlobStores.of(path.toUri()).open(path.toUri())) {
            ParquetFile file = new ParquetFile(blob, path.toString());
            assertThat(file.rows()).isEqualTo(expected.get("rows").asLong());
            assertThat(file.groups()).isEqualTo(expected.get("row_groups").size());
            int compared = 0;
            for (Map.Entry<String, JsonNode> sample :
                    expected.get("sample_rows").properties()) {
                long row = Long.parseLong(sample.getKey());
                int group = 0;
                while (file.firstRow(group + 1) <= row) {
                    group++;
                }
                for (Map.Entry<String, JsonNode> field : sample.getValue().properties()) {
                    if (field.getKey().equals("tasks")) {
                        assertThat(file.texts(blob, "tasks").get((int) row))
                                .containsExactlyElementsOf(field.getValue()
                                        .valueStream()
                                        .map(JsonNode::asString)
                                        .toList());
                    } else {
                        check(file.read(blob, group, field.getKey()), (int) (row - file.firstRow(group)), field);
                    }
                    compared++;
                }
            }
            assertThat(compared).isGreaterThanOrEqualTo(4);
        }
    }

    private static void check(ParquetFile.Column column, int row, Map.Entry<String, JsonNode> field) {
        JsonNode value = field.getValue();
        assertThat(column.problem()).as(field.getKey()).isNull();
        StoredColumn values = column.values();
        String at = field.getKey() + " in row " + row;
        if (value.isNull()) {
            assertThat(values.isNull(row)).as(at).isTrue();
        } else if (value.isString()) {
            ByteBuffer bytes = values.values().duplicate().order(ByteOrder.LITTLE_ENDIAN);
            int from = values.offsets().getInt(4 * row);
            byte[] text = new byte[values.offsets().getInt(4 * row + 4) - from];
            bytes.get(from, text);
            assertThat(new String(text, StandardCharsets.UTF_8)).as(at).isEqualTo(value.asString());
        } else if (value.isArray()) {
            assertThat(values.elements()).as(at).isEqualTo(value.size());
            for (int i = 0; i < value.size(); i++) {
                int byteOf = (row * value.size() + i) * values.width();
                double got = values.field().type() == TruthType.INT64
                        ? (double) values.values().getLong(byteOf)
                        : values.width() == 4
                                ? values.values().getFloat(byteOf)
                                : values.values().getDouble(byteOf);
                assertThat(got).as(at).isEqualTo(value.get(i).asDouble());
            }
        } else {
            double expected = value.isBoolean() ? (value.asBoolean() ? 1 : 0) : value.asDouble();
            double got =
                    values.field().type() == TruthType.BOOL ? values.values().get(row) : values.number(row);
            assertThat(got).as(at).isEqualTo(expected);
        }
    }
}
