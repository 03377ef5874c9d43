package dev.penstock.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two {@code report.json} side by side: what became faster, and where the bottleneck went. */
public final class Comparison {
    private static final JsonMapper JSON = new JsonMapper();

    private Comparison() {}

    /**
     * The comparison as aligned lines.
     *
     * @throws IOException when a file can't be read or is no report; the message names it
     */
    public static String of(Path first, Path second) throws IOException {
        JsonNode a = read(first);
        JsonNode b = read(second);
        StringBuilder out = new StringBuilder();
        line(out, "%-22s %18s %18s %9s", "", shortened(title(a)), shortened(title(b)), "change");
        figure(out, "training batches/s", a, b, "/report/batchesPerSecond");
        figure(out, "samples/s", a, b, "/samplesPerSecond");
        figure(out, "accelerator roofline", a, b, "/acceleratorRoofline");
        figure(out, "data roofline", a, b, "/dataRoofline");
        figure(out, "data wait (share)", a, b, "/report/evidence/waitShare");
        for (String stage : stages(a, b)) {
            double before = capacity(a, stage);
            double after = capacity(b, stage);
            line(out, "%-22s %18.1f %18.1f %9s", "capacity: " + stage, before, after, times(before, after));
        }
        String was = slowest(a);
        String is = slowest(b);
        line(out, "%-22s %18s %18s %9s", "slowest stage", was, is, was.equals(is) ? "" : "moved");
        line(out, "%-22s %18s %18s", "verdict", verdict(a), verdict(b));
        return out.toString();
    }

    private static JsonNode read(Path file) throws IOException {
        JsonNode node;
        try {
            node = JSON.readTree(Files.readString(file));
        } catch (JacksonException e) {
            throw new IOException(file + " is not JSON: " + e.getOriginalMessage(), e);
        }
        if (node.at("/report/evidence/capacity/stages").isMissingNode()) {
            throw new IOException(file + " is no roofline report; give a report.json that penstock roofline wrote");
        }
        return node;
    }

    private static void figure(StringBuilder out, String name, JsonNode a, JsonNode b, String pointer) {
        double before = number(a.at(pointer));
        double after = number(b.at(pointer));
        line(out, "%-22s %18.3f %18.3f %9s", name, before, after, times(before, after));
    }

    private static Set<String> stages(JsonNode a, JsonNode b) {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode node : new JsonNode[] {a, b}) {
            node.at("/report/evidence/capacity/stages")
                    .forEach(stage -> names.add(stage.path("name").asString("")));
        }
        return names;
    }

    private static double capacity(JsonNode report, String name) {
        for (JsonNode stage : report.at("/report/evidence/capacity/stages")) {
            if (stage.path("name").asString("").equals(name)) {
                return number(stage.path("capacity"));
            }
        }
        return Double.NaN;
    }

    private static String slowest(JsonNode report) {
        String slowest = "none";
        double least = Double.POSITIVE_INFINITY;
        for (JsonNode stage : report.at("/report/evidence/capacity/stages")) {
            double capacity = number(stage.path("capacity"));
            String name = stage.path("name").asString("");
            if (capacity < least && !name.equals("cpu")) {
                least = capacity;
                slowest = name;
            }
        }
        return slowest;
    }

    private static String verdict(JsonNode report) {
        return report.at("/diagnosis/trainerBound").asBoolean(false)
                ? "trainer"
                : "data: " + report.at("/diagnosis/cause").asString("?").toLowerCase(Locale.ROOT);
    }

    private static double number(JsonNode node) {
        if (node.isNumber()) {
            return node.asDouble();
        }
        return node.asString("").equals("Infinity") ? Double.POSITIVE_INFINITY : Double.NaN;
    }

    private static String times(double before, double after) {
        return before > 0 && Double.isFinite(after / before) ? String.format(Locale.ROOT, "%.2f×", after / before) : "";
    }

    private static String title(JsonNode report) {
        return report.at("/report/title").asString("?");
    }

    private static String shortened(String title) {
        return title.length() <= 18 ? title : title.substring(0, 17) + "…";
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
