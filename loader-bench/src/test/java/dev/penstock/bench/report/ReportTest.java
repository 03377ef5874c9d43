package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.probe.Awaited;
import dev.penstock.probe.WaitSummary;
import dev.penstock.roofline.Advisor;
import dev.penstock.roofline.BatchSizeReport;
import dev.penstock.roofline.CapacityModel;
import dev.penstock.roofline.ConcurrencyReport;
import dev.penstock.roofline.Evidence;
import dev.penstock.roofline.PipelineSettings;
import dev.penstock.roofline.RooflineReport;
import dev.penstock.roofline.StallLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path folder;

    @Test
    void thePageNeedsNoNetworkAndNoScript() {
        String page = HtmlReport.of(report("raw", 50, 2_000));
        assertThat(page).doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
        assertThat(page).startsWith("<!doctype html>").contains("width=device-width", "@media print");
    }

    @Test
    void thePageShowsEveryPart() {
        String page = HtmlReport.of(report("raw", 50, 2_000));
        assertThat(page)
                .contains("What to do next", "Roofline", "Batch size on fake data", "decode threads", "Data waits")
                .contains("Queues", "Where a step goes", "Stage capacities", "What if", "simulated accelerator step")
                .doesNotContain("NaN");
    }

    @Test
    void whatComesFromOutsideIsEscaped() {
        assertThat(HtmlReport.of(report("<script>alert(1)</script>", 50, 2_000)))
                .doesNotContain("<script");
    }

    @Test
    void comparingTwoReportsShowsThatTheBottleneckMoved() throws IOException {
        ReportFiles.write(report("raw", 50, 200), folder.resolve("a"));
        ReportFiles.write(report("artifact", 400, 200), folder.resolve("b"));
        String text = Comparison.of(folder.resolve("a/report.json"), folder.resolve("b/report.json"));
        assertThat(text.lines())
                .anyMatch(line -> line.matches("capacity: decode +50\\.0 +400\\.0 +8\\.00×"))
                .anyMatch(line -> line.matches("slowest stage +decode +collate +moved"));
    }

    @Test
    void aFileThatIsNoReportIsNamed() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{}");
        assertThatThrownBy(() -> Comparison.of(other, other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.json")
                .hasMessageContaining("penstock roofline");
    }

    private static RooflineReport report(String title, double decode, double collate) {
        List<ConcurrencyReport.Point> points = new ArrayList<>();
        for (int n = 1; n <= 4; n++) {
            double drained = decode * Math.min(n, 2);
            points.add(new ConcurrencyReport.Point(
                    n, drained, Math.min(100, drained), 0.1, 0.5 * Math.min(n, 2), 0.9, n / drained));
        }
        long[] a = IntStream.range(0, 40).mapToLong(i -> 10_000_000 + i).toArray();
        long[] c = IntStream.range(0, 40).mapToLong(i -> 19_000_000 + i).toArray();
        Evidence evidence = new Evidence(
                new PipelineSettings(1, 1, 1, 2, 5, 2),
                8,
                new CapacityModel(
                        List.of(
                                new CapacityModel.Stage("read", 1, 1 / 2e3, 2e3),
                                new CapacityModel.Stage("decode", 1, 1 / decode, decode),
                                new CapacityModel.Stage("collate", 1, 1 / collate, collate)),
                        100),
                new Awaited(0, 0, 90, 10, 0),
                0.5,
                new BatchSizeReport(
                        List.of(new BatchSizeReport.Point(8, 0.01, 0.01), new BatchSizeReport.Point(16, 0.012, 0.01)),
                        16,
                        32),
                new ConcurrencyReport("decode", points, List.of(), 0),
                null,
                StallLedger.of(List.of(List.of(a), List.of(a), List.of(c)), 1),
                null,
                null,
                false);
        return new RooflineReport(
                title,
                true,
                new RooflineReport.Machine(2, "17", "Linux"),
                50,
                0.01,
                new WaitSummary(40, 400_000_000, 9_000_000, 11_000_000, 12_000_000),
                List.of(0L, 1L, 5L, 12L, 3L),
                List.of(new RooflineReport.Moment(0, 1, 2, 0, 1), new RooflineReport.Moment(1, 1, 3, 1, 0)),
                evidence,
                List.of(),
                Advisor.advise(evidence));
    }
}
