package dev.penstock.bench;

import dev.penstock.decode.DatasetSummary;
import dev.penstock.decode.truth.TruthField;
import java.util.Locale;
import java.util.Map;

/** A dataset's summary as aligned lines. */
final class InspectText {
    private static final int MISSING_SHOWN = 10;

    private InspectText() {}

    static String of(DatasetSummary s) {
        StringBuilder out = new StringBuilder();
        line(out, "dataset    %s", s.dataset());
        line(out, "episodes   %d%s", s.episodes(), splits(s.splits()));
        line(
                out,
                "video      %d files, %.1f MiB, %d frames, %.1f s",
                s.files(),
                s.bytes() / 1_048_576.0,
                s.frames(),
                s.seconds());
        for (Map.Entry<String, DatasetSummary.Camera> entry : s.cameras().entrySet()) {
            DatasetSummary.Camera camera = entry.getValue();
            line(
                    out,
                    "camera     %s: %d episodes, %d frames, %.1f s, %s, %s",
                    entry.getKey(),
                    camera.episodes(),
                    camera.frames(),
                    camera.seconds(),
                    counts(camera.sizes()),
                    counts(camera.codecs()));
            line(
                    out,
                    "             frames/s %s   key distance %s   Mbit/s %s",
                    range(camera.framesPerSecond(), 1),
                    range(camera.keyDistance(), 1),
                    range(camera.bitsPerSecond(), 1e6));
        }
        line(out, "truth      %s", s.truth().isEmpty() ? "none" : s.episodesWithTruth() + " episodes");
        for (TruthField field : s.truth()) {
            line(out, "             %-24s %s%s", field.name(), field.describe(), field.optional() ? ", optional" : "");
        }
        if (!s.missing().isEmpty()) {
            line(out, "missing    %d files", s.missing().size());
            s.missing().stream().limit(MISSING_SHOWN).forEach(file -> line(out, "             %s", file));
            if (s.missing().size() > MISSING_SHOWN) {
                line(out, "             ... all of them with --json");
            }
        }
        return out.toString();
    }

    private static String splits(Map<String, Integer> splits) {
        boolean only = splits.size() == 1 && splits.containsKey("");
        return splits.isEmpty() || only ? "" : "   splits " + counts(splits);
    }

    private static String counts(Map<String, Integer> counts) {
        StringBuilder out = new StringBuilder();
        counts.forEach((name, count) -> out.append(out.isEmpty() ? "" : ", ")
                .append(name.isEmpty() ? "(none)" : name)
                .append(counts.size() == 1 ? "" : " ×" + count));
        return out.toString();
    }

    private static String range(DatasetSummary.Range range, double unit) {
        return range.min() == range.max()
                ? figure(range.min() / unit)
                : figure(range.min() / unit) + " / " + figure(range.median() / unit) + " / "
                        + figure(range.max() / unit);
    }

    private static String figure(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
