package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code penstock roofline} and {@code penstock compare} as a person types them, measured for real. */
class RooflineCommandTest {
    @TempDir
    static Path folder;

    private static String data = "";
    private static Said measured = new Said(-1, "", "");

    private static Said roofline(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "roofline", data, "--camera=front", "--frames=4", "--size=32x24", "--batch=4", "--seconds=0.05"));
        all.addAll(List.of(more));
        return Said.by(all.toArray(String[]::new));
    }

    @BeforeAll
    static void measureOnce() throws Exception {
        data = DemoDataset.make(
                        folder.resolve("data"),
                        DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)),
                        (done, total) -> {})
                .toString();
        measured = roofline("--step-ms=1", "--decode-sweep=1,2", "--cold", "--out=" + folder.resolve("a"));
    }

    @Test
    void itPrintsTheCeilingsTheSweepTheLedgerAndAnAdviceAndSaysThatTheStepIsSimulated() {
        assertThat(measured.code()).as(measured.err()).isZero();
        assertThat(measured.out())
                .contains("simulated accelerator step", "min(accelerator", "decode threads", "ledger of a step")
                .contains("compute", "contention", "preparation", "fetch", "what if", "  do:  ");
    }

    @Test
    void thePageIsWholeAndReachesForNothingOutside() throws Exception {
        String page = Files.readString(folder.resolve("a/report.html"));
        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n");
        assertThat(page).doesNotContain("http:", "https:", "//", "<script", "src=", "href=", "@import", "url(");
    }

    @Test
    void theLedgerOfARealRunAddsUpToTheWholeStepWithinItsInterval() throws Exception {
        JsonNode ledger = report("a").at("/report/evidence/ledger");
        double sum = 0;
        for (String part : new String[] {"COMPUTE", "CONTENTION", "PREPARATION", "FETCH"}) {
            sum += ledger.at("/parts/" + part + "/estimate").asDouble();
        }
        double total = ledger.at("/total/estimate").asDouble();
        assertThat(sum).isCloseTo(total, within(1e-6 * total));
        assertThat(sum)
                .isBetween(
                        ledger.at("/total/low").asDouble(),
                        ledger.at("/total/high").asDouble());
    }

    @Test
    void theWaitsOfARealRunAreSharesOfOne() throws Exception {
        JsonNode report = report("a");
        JsonNode awaited = report.at("/report/evidence/awaited");
        assertThat(report.at("/report/evidence/waitShare").asDouble()).isBetween(0.0, 1.0);
        assertThat(awaited.size()).isPositive();
        assertThat(report.at("/report/waitHistogram").size()).isPositive();
    }

    @Test
    void twoReportsCompareSideBySide() {
        String json = folder.resolve("a/report.json").toString();
        Said same = Said.by("compare", json, json);
        assertThat(same.code()).as(same.err()).isZero();
        assertThat(same.out()).contains("training batches/s", "capacity: decode", "slowest stage", "1.00×");
    }

    @Test
    void wrongCommandLinesAndFilesThatAreNoReportsHaveTheirExitCodes() throws Exception {
        assertThat(roofline().code()).isEqualTo(Main.USAGE);
        assertThat(roofline("--step-ms=1", "--trainer=X").code()).isEqualTo(Main.USAGE);
        assertThat(roofline("--step-ms=1", "--batch-sweep=1,2").code()).isEqualTo(Main.USAGE);
        Said noClass = roofline("--trainer=no.such.Trainer");
        assertThat(noClass.code()).isEqualTo(Main.USAGE);
        assertThat(noClass.err()).contains("no.such.Trainer", "TrainerStep");
        Path other = Files.writeString(folder.resolve("other.json"), "{}");
        Said none = Said.by("compare", other.toString(), other.toString());
        assertThat(none.code()).isEqualTo(Main.FAILED);
        assertThat(none.err()).contains("other.json");
        assertThat(Said.by("compare", other.toString()).code()).isEqualTo(Main.USAGE);
    }

    private static JsonNode report(String name) throws Exception {
        return new JsonMapper().readTree(Files.readString(folder.resolve(name).resolve("report.json")));
    }
}
