package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.Loader;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.MicrometerProbe;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A loader's meters as a Prometheus server gets them, and the dashboard that shows them. */
class PrometheusScrapeTest {
    private static final Path DASHBOARD = Path.of("../docs/grafana-dashboard.json");
    private static final Pattern METRIC = Pattern.compile("penstock_\\w+");

    private static long batches;
    private static String scraped = "";

    /** The endpoint of docs/tuning.md. */
    private static HttpServer metrics(PrometheusMeterRegistry registry, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/metrics", exchange -> {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        return server;
    }

    @BeforeAll
    static void trainAndScrape(@TempDir Path folder) throws Exception {
        Path data = DemoDataset.make(
                folder.resolve("data"), DemoSettings.STANDARD.length(2, 1).size(Size.of(160, 96)), (done, total) -> {});
        View view = View.builder()
                .video("front", Window.frames(4), Size.of(32, 24))
                .truth("steering", Column.float32())
                .anchors(Anchors.everyFrames(2))
                .build();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MicrometerProbe meters = new MicrometerProbe(registry, Tags.of("rank", "0"));
        HttpServer server = metrics(registry, 0);
        try (Loader loader = Loader.builder(Episodes.open(data), view)
                .batchSize(4)
                .probe(meters)
                .workProbe(meters)
                .build()) {
            for (Batch batch : loader) {
                batches = batch.number() + 1;
            }
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + server.getAddress().getPort() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            scraped = answer.body();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aScrapeHoldsWaitsStepsBatchesAndWorkByStageInPrometheusNamesAndUnits() {
        assertThat(batches).isPositive();
        assertThat(value("penstock_batches_total{rank=\"0\"}")).isEqualTo((double) batches);
        assertThat(value("penstock_data_wait_seconds_count{rank=\"0\"}")).isEqualTo((double) batches);
        assertThat(value("penstock_data_wait_seconds_sum{rank=\"0\"}")).isPositive();
        assertThat(value("penstock_step_seconds_count{rank=\"0\"}")).isEqualTo((double) (batches - 1));
        for (String stage : new String[] {"read", "decode", "collate"}) {
            String labels = "{rank=\"0\",stage=\"" + stage + "\"}";
            assertThat(value("penstock_work_seconds_count" + labels)).as(stage).isPositive();
            assertThat(value("penstock_work_seconds_sum" + labels)).as(stage).isPositive();
        }
        assertThat(value("penstock_work_bytes_total{rank=\"0\",stage=\"read\"}"))
                .isPositive();
        assertThat(scraped)
                .contains("# TYPE penstock_data_wait_seconds summary", "# TYPE penstock_batches_total counter");
    }

    @Test
    void everyMetricOfTheDashboardIsInTheScrapeAndEveryPanelHasOne() throws Exception {
        JsonNode dashboard = new JsonMapper().readTree(Files.readString(DASHBOARD));
        Set<String> known = new TreeSet<>();
        METRIC.matcher(scraped).results().map(MatchResult::group).forEach(known::add);
        assertThat(dashboard.get("panels").size()).isGreaterThan(4);
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(panel.get("targets").size())
                    .as(panel.get("title").asString())
                    .isPositive();
            for (JsonNode target : panel.get("targets")) {
                assertThat(METRIC.matcher(target.get("expr").asString())
                                .results()
                                .map(MatchResult::group))
                        .as(panel.get("title").asString())
                        .isNotEmpty()
                        .allMatch(known::contains);
            }
        }
    }

    private static double value(String series) {
        return scraped.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " is not in\n" + scraped));
    }
}
