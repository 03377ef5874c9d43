package dev.penstock.probe;

import dev.penstock.spi.StoreStats;
import java.util.Locale;

/** The report as aligned lines, 100 columns at most. */
final class ReportText {
    private ReportText() {}

    static String of(DataWaitReport r) {
        StringBuilder out = new StringBuilder();
        line(
                out,
                "epoch %d: %d batches, %d samples in %.2f s (%.1f batches/s, %.1f samples/s)",
                r.epoch(),
                r.batches(),
                r.samples(),
                r.wallNanos() / 1e9,
                r.batchesPerSecond(),
                r.samplesPerSecond());
        line(
                out,
                "data wait   %5.1f %% of the time after the first batch   first batch %s",
                100 * r.waitShare(),
                time(r.firstWaitNanos()));
        waits(out, "steady", r.steady());
        waits(out, "tail", r.tail());
        line(
                out,
                "  step      mean %s over %d steps",
                time(r.batches() < 2 ? 0 : r.stepNanos() / (r.batches() - 1)),
                Math.max(0, r.batches() - 1));
        Awaited a = r.awaited();
        if (a.total() > 0) {
            line(
                    out,
                    "  waited for  start %.0f %%   read %.0f %%   decode %.0f %%   collate %.0f %%   hand-off %.0f %%",
                    share(a.start(), a),
                    share(a.read(), a),
                    share(a.decode(), a),
                    share(a.collate(), a),
                    share(a.handOff(), a));
        }
        line(out, "stage     threads  batches/s   busy    cpu  take-wait  put-wait  queue       bytes");
        for (StageStats s : r.stages()) {
            line(
                    out,
                    "%-9s %7d %10s %5.0f %% %4s %8.0f %% %7.0f %% %3d/%-3d %11s",
                    s.stage(),
                    s.threads(),
                    rate(s.capacity()),
                    ofThreads(s.busyNanos(), s, r),
                    cpu(s, r),
                    ofThreads(s.takeWaitNanos(), s, r),
                    ofThreads(s.putWaitNanos(), s, r),
                    s.queueDepth(),
                    s.queueCapacity(),
                    bytes(s.bytes()));
        }
        line(
                out,
                "lowest      %s: %s batches/s (trainer could take %s)",
                r.bottleneck(),
                rate(Math.min(r.dataRoofline(), r.trainerRoofline())),
                rate(r.trainerRoofline()));
        SampleCounts c = r.samplesCounted();
        line(
                out,
                "samples     planned %d = delivered %d + skipped %d + dropped %d%s",
                c.planned(),
                c.delivered(),
                c.skipped(),
                c.dropped(),
                c.substituted() + c.padding() + c.retries() + c.early() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "   (substituted %d, padding %d, reads retried %d, early %d)",
                                c.substituted(),
                                c.padding(),
                                c.retries(),
                                c.early()));
        storage(out, r.storage());
        MemoryUse m = r.memory();
        line(
                out,
                "memory      %s of %s   high water %s   (batches %s, read-ahead %s, decoders up to %s)",
                bytes(m.used()),
                bytes(m.budget()),
                bytes(m.highWater()),
                bytes(m.batches()),
                bytes(m.readAhead()),
                bytes(m.decoders()));
        if (m.retainedHighWater() > 0) {
            line(
                    out,
                    "retained    %d batches now, %d at most%s",
                    m.retained(),
                    m.retainedHighWater(),
                    m.retained() == 0
                            ? ""
                            : ", the oldest " + m.oldestRetained().get(0));
        }
        for (TuningStep step : r.tuning()) {
            line(out, "autotune    %s", step);
        }
        return out.toString();
    }

    private static void storage(StringBuilder out, StorageUse use) {
        if (use.stores().isEmpty()) {
            return;
        }
        line(
                out,
                "storage     needed %s   asked for %s   fetched %s (%.2f of what was needed)",
                bytes(use.neededBytes()),
                bytes(use.askedBytes()),
                bytes(use.fetchedBytes()),
                use.fetchedPerNeeded());
        for (StoreStats s : use.stores()) {
            line(
                    out,
                    "  %-9s %d requests   retries %d%s   hedges %d   throttles %d   given up %d%s",
                    s.store(),
                    s.requests(),
                    s.retries(),
                    s.retries() == 0 ? "" : " " + s.retriesByReason(),
                    s.hedges(),
                    s.throttles(),
                    s.failures(),
                    s.cacheHits() + s.cacheMisses() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "   cache hits %.1f %%",
                                    100.0 * s.cacheHits() / (s.cacheHits() + s.cacheMisses())));
            if (s.requests() > 0) {
                line(
                        out,
                        "            a request on average: queue %s   first byte %s   transfer %s",
                        time(s.queueNanos() / s.requests()),
                        time(s.firstByteNanos() / s.requests()),
                        time(s.transferNanos() / s.requests()));
            }
        }
    }

    private static void waits(StringBuilder out, String name, WaitSummary w) {
        if (w.count() > 0) {
            line(
                    out,
                    "  %-8s  p50 %s   p99 %s   max %s   total %s over %d batches",
                    name,
                    time(w.p50()),
                    time(w.p99()),
                    time(w.max()),
                    time(w.total()),
                    w.count());
        }
    }

    private static double share(long part, Awaited all) {
        return 100.0 * part / all.total();
    }

    private static double ofThreads(long nanos, StageStats s, DataWaitReport r) {
        if (r.wallNanos() == 0 || s.threads() == 0) {
            return 0;
        }
        // a wait or a piece that began before the interval is counted whole when it ends
        return Math.min(100, 100.0 * nanos / s.threads() / r.wallNanos());
    }

    private static String cpu(StageStats s, DataWaitReport r) {
        return s.cpuNanos() < 0 ? "?" : String.format(Locale.ROOT, "%.0f %%", ofThreads(s.cpuNanos(), s, r));
    }

    private static String rate(double perSecond) {
        return Double.isFinite(perSecond) ? String.format(Locale.ROOT, "%.1f", perSecond) : "no limit";
    }

    static String time(long nanos) {
        if (nanos < 10_000) {
            return nanos + " ns";
        }
        if (nanos < 10_000_000) {
            return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
        }
        return nanos < 10_000_000_000L
                ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    static String bytes(long bytes) {
        if (bytes < 10_240) {
            return bytes + " B";
        }
        return bytes < 10L << 20
                ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : bytes < 10L << 30
                        ? String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0)
                        : String.format(Locale.ROOT, "%.1f GiB", bytes / 1073741824.0);
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
