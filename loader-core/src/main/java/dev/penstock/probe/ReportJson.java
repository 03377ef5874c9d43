package dev.penstock.probe;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The report as JSON: its fields, and the figures derived from them. */
final class ReportJson {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ReportJson() {}

    static String of(DataWaitReport report) {
        ObjectNode node = JSON.valueToTree(report);
        node.put("waitShare", report.waitShare());
        node.put("batchesPerSecond", report.batchesPerSecond());
        node.put("samplesPerSecond", report.samplesPerSecond());
        node.put("dataRoofline", finite(report.dataRoofline()));
        node.put("trainerRoofline", finite(report.trainerRoofline()));
        node.put("bottleneck", report.bottleneck());
        ((ObjectNode) node.get("storage"))
                .put("fetchedBytes", report.storage().fetchedBytes())
                .put("fetchedPerNeeded", report.storage().fetchedPerNeeded());
        for (int i = 0; i < report.stages().size(); i++) {
            ((ObjectNode) node.get("stages").get(i))
                    .put("capacity", finite(report.stages().get(i).capacity()));
        }
        return JSON.writeValueAsString(node);
    }

    /** JSON has no infinity: null stands for "no limit seen". */
    private static @org.jspecify.annotations.Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
