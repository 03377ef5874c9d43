package dev.penstock.bench.demo;

import java.util.Locale;

/** An episode's truth as JSON: one record a frame, each on a line of its own. */
final class DemoTruth {

    private DemoTruth() {}

    static String json(Scene scene, int frames) {
        StringBuilder json = new StringBuilder("[\n");
        double x = 0;
        double y = 0;
        for (int frame = 0; frame < frames; frame++) {
            if (frame > 0) {
                double step = scene.driven(frame) - scene.driven(frame - 1);
                x += step * Math.cos(scene.heading(frame));
                y += step * Math.sin(scene.heading(frame));
            }
            json.append(record(scene, frame, x, y));
            points(scene, frame, json);
            json.append(frame + 1 < frames ? "},\n" : "}\n");
        }
        return json.append("]\n").toString();
    }

    private static String record(Scene scene, int frame, double x, double y) {
        StringBuilder boxes = new StringBuilder();
        StringBuilder labels = new StringBuilder();
        for (Scene.Seen seen : scene.seen(frame)) {
            String comma = boxes.length() == 0 ? "" : ", ";
            boxes.append(comma)
                    .append(String.format(Locale.ROOT, "[%d, %d, %d, %d]", seen.x1(), seen.y1(), seen.x2(), seen.y2()));
            labels.append(comma).append('"').append(seen.label()).append('"');
        }
        return String.format(
                Locale.ROOT,
                "{\"time\": %.6f, \"frame\": %d, \"steering\": %.6f, \"speed\": %.6f, \"weather\": \"%s\","
                        + " \"boxes\": [%s], \"labels\": [%s], \"pose\": {\"x\": %.4f, \"y\": %.4f, \"heading\": %.6f}",
                scene.time(frame),
                frame,
                scene.steering(frame),
                scene.speed(frame),
                scene.weather(),
                boxes,
                labels,
                x,
                y,
                scene.heading(frame));
    }

    /** A range scan, in metres with two decimals; nothing where the settings ask for none. */
    private static void points(Scene scene, int frame, StringBuilder json) {
        int[] scan = scene.scan(frame);
        if (scan.length == 0) {
            return;
        }
        json.append(", \"points\": [");
        for (int i = 0; i < scan.length; i++) {
            json.append(i % 3 > 0 ? "," : i > 0 ? ",[" : "[");
            hundredths(scan[i], json);
            json.append(i % 3 == 2 ? "]" : "");
        }
        json.append(']');
    }

    /** As {@code %.2f} would, a hundred times as fast: a scan has thousands of them. */
    private static void hundredths(int value, StringBuilder json) {
        int size = Math.abs(value);
        json.append(value < 0 ? "-" : "").append(size / 100).append('.');
        json.append((char) ('0' + size / 10 % 10)).append((char) ('0' + size % 10));
    }
}
