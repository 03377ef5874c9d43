package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.ElementType;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Column;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truth schemas: what is inferred of a dataset, and that its records are held against the one that it comes with. */
class TruthSchemaTest {
    private static final View STEERING =
            View.builder().truth("steering", Column.float32()).build();

    @TempDir
    Path folder;

    private void index(String... lines) throws IOException {
        Files.writeString(folder.resolve("episodes.jsonl"), String.join("\n", lines));
    }

    private static final String SCHEMA =
            "{\"fields\": [{\"name\": \"time\", \"type\": \"float64\"}, {\"name\": \"steering\", \"type\": \"float64\"},"
                    + " {\"name\": \"boxes\", \"type\": \"int64\", \"rows\": true, \"shape\": [4], \"optional\": true}],"
                    + " \"groups\": {\"drive\": [\"steering\"], \"detect\": [\"boxes\", \"steering\"]}}";

    @Test
    void aRecordThatBreaksTheFoldersSchemaIsNamedByEpisodeFileLineAndField() throws IOException {
        Files.writeString(
                folder.resolve("a.json"), "[{\"time\":0,\"steering\":1},\n{\"time\":1,\"steering\":\"left\"}]");
        index("{\"id\": \"drive-7\", \"truth\": \"a.json\"}");
        try (SampleSource source = Episodes.open(folder)
                .bind(View.builder().truth("time", Column.float64()).build())) {
            assertThat(source.size()).isEqualTo(2); // the view does not look at it
        }
        Files.writeString(folder.resolve("truth-schema.json"), SCHEMA);
        assertThatThrownBy(() -> Episodes.open(folder).bind(STEERING))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("drive-7")
                .hasMessageContaining("a.json")
                .hasMessageContaining("line 2")
                .hasMessageContaining("'steering'")
                .hasMessageContaining("float64");
    }

    @Test
    void schemaDriftBetweenEpisodesIsFoundInTheEpisodeThatDrifts() throws IOException {
        Files.writeString(folder.resolve("truth-schema.json"), SCHEMA);
        index(
                "{\"id\": \"good\", \"truth\": [{\"time\": 0, \"steering\": 1, \"boxes\": [[1, 2, 3, 4]]}]}",
                "{\"id\": \"drifted\", \"truth\": [{\"time\": 0, \"steering\": 1, \"boxes\": [[1, 2, 3, 4, 5]]}]}");
        assertThatThrownBy(() -> Episodes.open(folder).bind(STEERING))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("drifted")
                .hasMessageContaining("'boxes'")
                .hasMessageContaining("rows of int64[4]");
    }

    @Test
    void anEpisodesOwnSchemaComesBeforeTheFolders() throws IOException {
        Files.writeString(folder.resolve("truth-schema.json"), SCHEMA);
        Files.writeString(folder.resolve("words.json"), "{\"fields\": [{\"name\": \"steering\", \"type\": \"text\"}]}");
        index(
                "{\"id\": \"numbers\", \"truth\": [{\"time\": 0, \"steering\": 1}]}",
                "{\"id\": \"words\", \"schema\": \"words.json\", \"truth\": [{\"time\": 0, \"steering\": \"left\"}]}");
        Episodes episodes = Episodes.open(folder);
        View words = View.builder().truth("steering", Column.text()).build();
        try (SampleSource source = episodes.filter(e -> e.id().equals("words")).bind(words)) {
            assertThat(source.size()).isEqualTo(1);
        }
        assertThatThrownBy(() -> episodes.truthSchema(null)
                        .filter(e -> e.id().equals("words"))
                        .bind(STEERING))
                .hasMessageContaining("strings need Column.text()");
    }

    @Test
    void aSchemaFileThatIsNoneSaysWhere() throws IOException {
        index("{\"id\": \"a\", \"truth\": [{\"time\": 0}]}");
        Files.writeString(
                folder.resolve("truth-schema.json"), "{\"fields\": [{\"name\": \"x\", \"type\": \"colour\"}]}");
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("truth-schema.json")
                .hasMessageContaining("line 1");
        index("{\"id\": \"a\", \"schema\": \"x.json\", \"cameras\": {\"v\": \"v.mp4\"}}");
        Files.delete(folder.resolve("truth-schema.json"));
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("'schema'");
    }

    @Test
    void groupsGiveTheColumnsOfATaskHead() throws IOException {
        TruthSchema schema = TruthSchema.fromJson(SCHEMA);
        assertThat(schema.columns("detect"))
                .isEqualTo(Map.of("boxes", Column.ragged(ElementType.INT64, 4), "steering", Column.float32()));
        View view = View.builder().truth(schema.columns("detect")).build();
        assertThat(view.truth()).containsOnlyKeys("boxes", "steering");
        assertThat(TruthSchema.fromJson(schema.toJson())).isEqualTo(schema);
        assertThatThrownBy(() -> schema.columns("plan"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[drive, detect]");
        assertThatThrownBy(() -> schema.group("plan", "speed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'speed'");
    }

    @Test
    void theWholeTruthOfADatasetIsDescribed() throws IOException {
        index(
                "{\"id\": \"a\", \"truth\": {\"weather\": \"rain\", \"records\": [{\"time\": 0, \"v\": 1.5, \"n\": -3,"
                        + " \"boxes\": [[1, 2], [3, 4]]}, {\"time\": 1, \"v\": -2, \"n\": 9007199254740993,"
                        + " \"boxes\": []}], \"can\": [{\"time\": 0.5, \"on\": true}]}}",
                "{\"id\": \"b\", \"truth\": \"b.jsonl\"}");
        Files.writeString(
                folder.resolve("b.jsonl"),
                "{\"time\": 0, \"v\": NaN, \"n\": 4, \"boxes\": [[5, 6]]}\n{\"time\": 1, \"v\": 7, \"n\": null, \"boxes\": []}");
        TruthSummary truth = Episodes.open(folder).describeTruth();
        assertThat(truth.episodesWithTruth()).isEqualTo(2);
        assertThat(truth.fields())
                .contains(
                        new TruthSummary.Field("v", "float64", "time", 4, 0, 1, -2.0, 7.0, null, null),
                        new TruthSummary.Field("n", "int64", "time", 4, 1, 0, -3L, 9007199254740993L, null, null),
                        new TruthSummary.Field("boxes", "rows of int64[2]", "time", 4, 0, 0, 1L, 6L, 0, 2),
                        new TruthSummary.Field("can.on", "bool", "time", 1, 0, 0, 1L, 1L, null, null),
                        new TruthSummary.Field("weather", "text", "episode", 1, 0, 0, null, null, 4, 4));
        assertThat(truth.schema().field("n")).isEqualTo(new TruthField("n", TruthType.INT64, false, null, true));
        assertThat(truth.schema().field("weather"))
                .isEqualTo(new TruthField("weather", TruthType.TEXT, false, null, true));
        Files.writeString(folder.resolve("truth-schema.json"), truth.schema().toJson());
        try (SampleSource source = Episodes.open(folder)
                .bind(View.builder().truth("v", Column.float32()).build())) {
            assertThat(source.size()).isEqualTo(4);
        }
    }

    @Test
    void absentTruthFilesAreListedTogether() throws IOException {
        index(
                "{\"id\": \"a\", \"truth\": [{\"time\": 0, \"steering\": 1}]}",
                "{\"id\": \"b\", \"truth\": \"b.json\"}",
                "{\"id\": \"c\", \"truth\": \"c.json\"}");
        assertThatThrownBy(() -> Episodes.open(folder).bind(STEERING))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("2 of 3 episodes")
                .hasMessageContaining("'b', 'c'");
        try (SampleSource source = Episodes.open(folder).allowMissing().bind(STEERING)) {
            assertThat(source.size()).isEqualTo(1);
        }
    }
}
