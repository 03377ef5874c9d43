package dev.penstock.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * A small chart as inline SVG: lines, dots, horizontal limits and bars over linear axes that begin at 0. Colours come
 * from the page's style sheet by class ({@code s0}, {@code s1}, …). Not thread-safe.
 */
final class Chart {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 270;
    private static final int LEFT = 56;
    private static final int RIGHT = 12;
    private static final int TOP = 28;
    private static final int BOTTOM = 40;

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final double xMost;
    private final double yMost;
    private final StringBuilder body = new StringBuilder();
    private final List<String> legend = new ArrayList<>();

    Chart(String title, String xLabel, String yLabel, double xMost, double yMost) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.xMost = xMost > 0 ? xMost : 1;
        this.yMost = yMost > 0 ? yMost : 1;
    }

    Chart dots(int style, String name, List<double[]> points) {
        for (double[] p : points) {
            add("<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", style, x(p[0]), y(p[1]));
        }
        return named(style, name);
    }

    Chart line(int style, String name, List<double[]> points) {
        StringBuilder path = new StringBuilder();
        for (double[] p : points) {
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x(p[0]), y(p[1])));
        }
        add("<path class=\"l s%d\" d=\"%s\"/>", style, path);
        return named(style, name);
    }

    Chart curve(int style, String name, double from, double to, DoubleUnaryOperator f) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i <= 60; i++) {
            double at = from + (to - from) * i / 60;
            points.add(new double[] {at, f.applyAsDouble(at)});
        }
        return line(style, name, points);
    }

    Chart limit(int style, String name, double value) {
        if (value > yMost) {
            return named(style, name + " (above the chart)");
        }
        add("<path class=\"l dash s%d\" d=\"M%d %.1fL%d %.1f\"/>", style, LEFT, y(value), WIDTH - RIGHT, y(value));
        return named(style, name);
    }

    /** One bar from 0 to {@code value}, centred at {@code at}. */
    Chart bar(int style, double at, double width, double value) {
        add(
                "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                style,
                x(at - width / 2),
                y(value),
                x(at + width / 2) - x(at - width / 2),
                Math.max(0, y(0) - y(value)));
        return this;
    }

    private Chart named(int style, String name) {
        if (!name.isEmpty()) {
            legend.add(String.format(Locale.ROOT, "<span><i class=\"s%d\"></i>%s</span>", style, Html.text(name)));
        }
        return this;
    }

    /** The figure, with round numbers on its horizontal axis. */
    String svg() {
        return svg(Html::number, ticks(xMost));
    }

    /** The figure, with {@code ticks} on its horizontal axis. */
    String svg(DoubleFunction<String> label, double... ticks) {
        StringBuilder out = new StringBuilder("<figure><figcaption>" + Html.text(title) + "</figcaption>");
        out.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                Html.text(title)));
        for (double value : ticks(yMost)) {
            out.append(String.format(
                    Locale.ROOT,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"end\">%s</text>",
                    LEFT,
                    y(value),
                    WIDTH - RIGHT,
                    LEFT - 6,
                    y(value) + 4,
                    Html.number(value)));
        }
        for (double value : ticks) {
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" class=\"mid\">%s</text>",
                    x(value),
                    HEIGHT - BOTTOM + 17,
                    Html.text(label.apply(value))));
        }
        out.append(body);
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" class=\"end\">%s</text><text x=\"4\" y=\"11\">%s</text></svg>",
                WIDTH - RIGHT,
                HEIGHT - 6,
                Html.text(xLabel),
                Html.text(yLabel)));
        return out + "<div class=\"legend\">" + String.join("", legend) + "</div></figure>";
    }

    /** Multiples of 1, 2 or 5 times a power of ten from 0 to {@code most}: four to eight of them. */
    static double[] ticks(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        double leading = most / power;
        double step = power * (leading < 1.5 ? 0.2 : leading < 3.5 ? 0.5 : leading < 8 ? 1 : 2);
        return IntStream.rangeClosed(0, (int) Math.floor(most / step * (1 + 1e-9)))
                .mapToDouble(i -> Math.rint(i * step / power * 10) / 10 * power)
                .toArray();
    }

    private double x(double value) {
        return LEFT + Math.min(1, value / xMost) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - Math.min(1, value / yMost) * (HEIGHT - TOP - BOTTOM);
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values));
    }
}
