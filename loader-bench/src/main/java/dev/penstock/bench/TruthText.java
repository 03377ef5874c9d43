package dev.penstock.bench;

import dev.penstock.decode.TruthSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a dataset's truth holds, as aligned lines. */
final class TruthText {
    private static final List<String> HEAD =
            List.of("field", "per", "holds", "records", "missing", "NaN", "least", "greatest");

    private TruthText() {}

    static String of(TruthSummary truth) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (TruthSummary.Field field : truth.fields()) {
            rows.add(List.of(
                    field.name(),
                    field.per(),
                    field.holds() + lengths(field),
                    String.valueOf(field.records()),
                    field.missing() == 0 ? "-" : String.valueOf(field.missing()),
                    field.notFinite() == 0 ? "-" : String.valueOf(field.notFinite()),
                    figure(field.least()),
                    figure(field.greatest())));
        }
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                "dataset    %s%ntruth      %d of %d episodes, %d fields%n",
                truth.dataset(),
                truth.episodesWithTruth(),
                truth.episodes(),
                truth.fields().size()));
        int[] widths = new int[HEAD.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("          ");
            for (int i = 0; i < widths.length; i++) {
                String gap = " ".repeat(widths[i] - row.get(i).length());
                line.append(' ')
                        .append(i < 3 ? row.get(i) + gap : gap + row.get(i))
                        .append(' ');
            }
            out.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return out.toString();
    }

    private static String lengths(TruthSummary.Field field) {
        if (field.fewest() == null || field.most() == null) {
            return "";
        }
        String range =
                field.fewest().equals(field.most()) ? field.most().toString() : field.fewest() + " to " + field.most();
        return field.holds().equals("text") ? " (" + range + " bytes)" : " (" + range + ")";
    }

    private static String figure(@Nullable Number value) {
        if (value == null) {
            return "-";
        }
        return value instanceof Long ? value.toString() : String.format(Locale.ROOT, "%.6g", value.doubleValue());
    }
}
