package dev.penstock.bench.report;

import dev.penstock.roofline.Advice;
import dev.penstock.roofline.BatchSizeReport;
import dev.penstock.roofline.CapacityModel;
import dev.penstock.roofline.ConcurrencyReport;
import dev.penstock.roofline.Prediction;
import dev.penstock.roofline.RooflineReport;
import dev.penstock.roofline.StallLedger;
import dev.penstock.roofline.UslFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A roofline report as one HTML page: inline SVG and CSS, no script, no network. */
public final class HtmlReport {
    private final RooflineReport report;
    private final StringBuilder out = new StringBuilder();

    private HtmlReport(RooflineReport report) {
        this.report = report;
    }

    /** The page. */
    public static String of(RooflineReport report) {
        HtmlReport page = new HtmlReport(report);
        page.head();
        page.advice();
        page.charts();
        page.ledger();
        page.stages();
        page.predictions();
        return Html.page("Roofline: " + report.title(), page.out.toString());
    }

    private void head() {
        out.append("<h1>").append(Html.text(report.title()));
        out.append(report.simulated() ? " <span class=\"tag\">simulated accelerator step</span>" : "");
        out.append("</h1><p class=\"soft\">batch ").append(report.evidence().batchSize());
        out.append(" · ").append(report.machine().cores()).append(" cores · Java ");
        out.append(Html.text(report.machine().java() + " · " + report.machine().os()))
                .append("</p>");
        String verdict = report.diagnosis().trainerBound()
                ? "the accelerator"
                : report.diagnosis().cause().toString().toLowerCase(Locale.ROOT);
        out.append("<div class=\"cards\">");
        out.append(Html.card(
                "training",
                Html.number(report.batchesPerSecond()) + " batches/s",
                Html.number(report.samplesPerSecond()) + " samples/s"));
        out.append(Html.card(
                "accelerator roofline",
                Html.number(report.acceleratorRoofline()) + " batches/s",
                Html.number(1e3 * report.stepSeconds()) + " ms a step"));
        out.append(Html.card(
                "data roofline",
                Html.number(report.dataRoofline()) + " batches/s",
                "slowest stage: " + report.evidence().capacity().slowestStage()));
        out.append(Html.card(
                "data wait",
                Html.percent(report.evidence().waitShare()),
                "p99 " + Html.number(report.waits().p99() / 1e6) + " ms"));
        out.append(Html.card("lower ceiling", verdict, "what holds throughput down"));
        out.append("</div>");
    }

    private void advice() {
        out.append("<h2>What to do next</h2>");
        for (Advice a : report.advice()) {
            out.append("<div class=\"card advice\"><h3>")
                    .append(Html.text(a.kind().toString().replace('_', ' ').toLowerCase(Locale.ROOT)));
            out.append(a.gain() == null ? "" : " · " + Html.text(a.gain().toString()))
                    .append("</h3><dl>");
            out.append("<dt>seen</dt><dd>").append(Html.text(a.observation())).append("</dd>");
            out.append("<dt>means</dt><dd>")
                    .append(Html.text(a.interpretation()))
                    .append("</dd>");
            out.append("<dt>do</dt><dd><code>").append(Html.text(a.nextStep())).append("</code></dd>");
            out.append("<dt>evidence</dt><dd>").append(Html.text(a.evidence())).append("</dd></dl></div>");
        }
    }

    private void charts() {
        out.append("<h2>Ceilings</h2><div class=\"charts\">");
        roofline();
        batches(report.evidence().batches());
        sweep(report.evidence().decode());
        sweep(report.evidence().read());
        histogram();
        timeline();
        out.append("</div>");
    }

    /** Throughput against what the accelerator could take: min(data, accelerator). */
    private void roofline() {
        double data = report.dataRoofline();
        double accelerator = report.acceleratorRoofline();
        double most = 1.3 * Math.max(accelerator, finite(data, accelerator));
        Chart chart = new Chart(
                        "Roofline", "batches/s that the accelerator could take", "batches/s of training", most, most)
                .curve(0, "min(accelerator, data)", 0, most, need -> Math.min(need, data))
                .limit(1, "data roofline " + Html.number(data), data)
                .dots(4, "this run " + Html.number(report.batchesPerSecond()), List.of(new double[] {
                    accelerator, report.batchesPerSecond()
                }));
        out.append(chart.svg());
    }

    private void batches(@org.jspecify.annotations.Nullable BatchSizeReport sweep) {
        if (sweep == null || sweep.points().isEmpty()) {
            return;
        }
        int largest = sweep.points().get(sweep.points().size() - 1).size();
        double most = 1.15 * sweep.samplesPerSecondAtBest();
        BatchSizeReport.Line line = sweep.line();
        Chart chart = new Chart("Batch size on fake data", "samples a batch", "samples/s", 1.05 * largest, most)
                .curve(
                        0,
                        "fit, knee " + Html.number(sweep.knee()),
                        0.2,
                        largest,
                        b -> b / (line.fixed() + b * line.each()))
                .dots(
                        1,
                        "measured",
                        sweep.points().stream()
                                .map(p -> new double[] {p.size(), p.samplesPerSecond()})
                                .toList());
        out.append(chart.svg());
    }

    private void sweep(@org.jspecify.annotations.Nullable ConcurrencyReport sweep) {
        UslFit fit = sweep == null ? null : sweep.fit();
        if (sweep == null || fit == null) {
            return;
        }
        int last = sweep.points().get(sweep.points().size() - 1).threads();
        double need = report.acceleratorRoofline();
        double most = 1.2 * Math.max(sweep.best(), Math.min(need, 2 * sweep.best()));
        List<double[]> drained = new ArrayList<>();
        List<double[]> training = new ArrayList<>();
        for (ConcurrencyReport.Point p : sweep.points()) {
            drained.add(new double[] {p.threads(), p.drained()});
            training.add(new double[] {p.threads(), p.training()});
        }
        Chart chart = new Chart(
                        String.format(
                                Locale.ROOT,
                                "%s threads · fit σ %.3f κ %.4f · limit %s",
                                sweep.stage(),
                                fit.sigma(),
                                fit.kappa(),
                                sweep.limit().toString().toLowerCase(Locale.ROOT)),
                        "threads",
                        "batches/s",
                        last + 0.5,
                        most)
                .curve(0, "fit", 1, last, fit::at)
                .dots(0, "data alone", drained)
                .dots(1, "with the trainer", training)
                .limit(2, "accelerator " + Html.number(need), need);
        out.append(chart.svg(
                Html::number, IntStream.rangeClosed(1, last).asDoubleStream().toArray()));
    }

    private void histogram() {
        List<Long> bins = report.waitHistogram();
        long most = bins.stream().mapToLong(Long::longValue).max().orElse(1);
        Chart chart = new Chart("Data waits", "wait for a batch (log scale)", "batches", bins.size(), 1.1 * most);
        for (int i = 0; i < bins.size(); i++) {
            chart.bar(0, i + 0.5, 0.85, bins.get(i));
        }
        // bin b begins at 2^(b-1) µs
        out.append(chart.svg(
                bin -> micros(Math.pow(2, bin - 1)),
                IntStream.rangeClosed(0, (bins.size() - 1) / 4)
                        .mapToDouble(i -> 4.0 * i + 1)
                        .toArray()));
    }

    private void timeline() {
        List<RooflineReport.Moment> all = report.timeline();
        if (all.isEmpty()) {
            return;
        }
        int step = Math.max(1, all.size() / 300);
        List<double[]> decode = new ArrayList<>();
        List<double[]> ready = new ArrayList<>();
        List<double[]> collate = new ArrayList<>();
        double most = 1;
        for (int i = 0; i < all.size(); i += step) {
            RooflineReport.Moment m = all.get(i);
            decode.add(new double[] {m.seconds(), m.decode()});
            collate.add(new double[] {m.seconds(), m.collate()});
            ready.add(new double[] {m.seconds(), m.ready()});
            most = Math.max(most, Math.max(m.decode(), Math.max(m.collate(), m.ready())));
        }
        double seconds = all.get(all.size() - 1).seconds();
        Chart chart = new Chart("Queues", "seconds", "waiting", seconds, 1.15 * most)
                .line(1, "pieces to decode", decode)
                .line(3, "batches to collate", collate)
                .line(2, "batches ready", ready);
        out.append(chart.svg());
    }

    private void ledger() {
        StallLedger ledger = report.evidence().ledger();
        if (ledger == null) {
            return;
        }
        out.append("<section><h2>Where a step goes</h2><div class=\"ledger\">");
        double total = ledger.parts().values().stream()
                .mapToDouble(i -> Math.max(0, i.estimate()))
                .sum();
        StringBuilder rows = new StringBuilder();
        int style = 0;
        for (var entry : ledger.parts().entrySet()) {
            StallLedger.Interval i = entry.getValue();
            out.append(String.format(
                    Locale.ROOT,
                    "<div class=\"s%d\" style=\"width:%.2f%%\"></div>",
                    style,
                    100 * Math.max(0, i.estimate()) / total));
            rows.append(ledgerRow(style++, entry.getKey().toString().toLowerCase(Locale.ROOT), i, ledger));
        }
        out.append("</div>");
        rows.append(ledgerRow(-1, "whole step", ledger.total(), ledger));
        out.append(Html.table(Html.row("th", "part", "ms a step", "95 % interval", "share"), rows.toString()))
                .append("</section>");
    }

    private static String ledgerRow(int style, String name, StallLedger.Interval i, StallLedger ledger) {
        String mark = style < 0
                ? ""
                : "<span class=\"legend\" style=\"display:inline\"><i class=\"s" + style + "\"></i></span>";
        return "<tr><td>" + mark + Html.text(name) + "</td><td>" + Html.number(i.estimate() / 1e6) + "</td><td>"
                + Html.number(i.low() / 1e6) + " … " + Html.number(i.high() / 1e6) + "</td><td>"
                + Html.percent(i.estimate() / ledger.total().estimate()) + "</td></tr>";
    }

    private void stages() {
        StringBuilder rows = new StringBuilder();
        CapacityModel model = report.evidence().capacity();
        for (CapacityModel.Stage s : model.stages()) {
            rows.append(Html.row(
                    "td",
                    s.name(),
                    s.threads(),
                    Html.number(1e3 * s.serviceSeconds()),
                    Html.number(s.capacity()),
                    Html.percent(model.headroom(s.name()))));
        }
        out.append("<section><h2>Stage capacities</h2>")
                .append(Html.table(
                        Html.row("th", "stage", "threads", "ms a batch", "batches/s", "headroom"), rows.toString()))
                .append("</section>");
    }

    private void predictions() {
        StringBuilder rows = new StringBuilder();
        for (Prediction p : report.predictions()) {
            rows.append(Html.row(
                    "td",
                    p.change().label(),
                    Html.number(p.batchesPerSecond()),
                    String.format(Locale.ROOT, "%+.1f %% ± %.1f", 100 * p.gain(), 100 * p.error()),
                    Html.percent(p.waitShare()),
                    p.isBelievable() ? "yes" : "within the error"));
        }
        out.append("<section><h2>What if</h2>")
                .append(Html.table(
                        Html.row("th", "change", "batches/s", "gain in samples/s", "wait", "beyond the model's error"),
                        rows.toString()))
                .append("</section>");
    }

    /** One or two digits: an axis needs no more. */
    private static String micros(double micros) {
        return micros < 1e3
                ? Math.round(micros) + " µs"
                : micros < 1e6 ? Math.round(micros / 1e3) + " ms" : Math.round(micros / 1e6) + " s";
    }

    private static double finite(double value, double otherwise) {
        return Double.isFinite(value) ? value : otherwise;
    }
}
