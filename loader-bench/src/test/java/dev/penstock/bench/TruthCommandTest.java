package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect --truth} and what follows from the schema that it writes. */
class TruthCommandTest {
    @TempDir
    Path folder;

    private static String run(int expected, String... arguments) {
        StringWriter out = new StringWriter();
        PrintWriter both = new PrintWriter(out);
        int code = Main.commandLine().setOut(both).setErr(both).execute(arguments);
        assertThat(code).as(out.toString()).isEqualTo(expected);
        return out.toString();
    }

    @Test
    void inspectTruthShowsRangesAndGapsAndWritesTheSchemaThatRecordsAreHeldAgainst() throws IOException {
        Path truth = folder.resolve("a.json");
        Files.writeString(folder.resolve("episodes.jsonl"), "{\"id\": \"drive-7\", \"truth\": \"a.json\"}");
        Files.writeString(
                truth,
                "{\"rain\": true, \"records\": [{\"time\": 0, \"v\": -2.5, \"n\": 1}, {\"time\": 1, \"v\": NaN}]}");
        Path schema = folder.resolve("truth-schema.json");
        String text = run(0, "inspect", "--truth", folder.toString(), "--schema", schema.toString());
        assertThat(text).contains("1 of 1 episodes, 4 fields");
        assertThat(text.lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains(
                        "v time float64 2 - 1 -2.50000 -2.50000",
                        "n time int64 2 1 - 1 1",
                        "rain episode bool 1 - - 1 1");
        assertThat(run(0, "inspect", "--truth", "--json", folder.toString()))
                .contains("\"notFinite\" : 1", "\"missing\" : 1", "\"optional\" : true");
        run(0, "inspect", folder.toString());
        Files.writeString(truth, "{\"rain\": true, \"records\": [{\"time\": 0, \"v\": [1]}]}");
        assertThat(run(1, "inspect", folder.toString()))
                .contains("drive-7", "a.json", "line 1", "field 'v'", "float64");
    }
}
