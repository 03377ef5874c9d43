package dev.penstock.bench;

import dev.penstock.roofline.Advice;
import dev.penstock.roofline.CapacityModel;
import dev.penstock.roofline.ConcurrencyReport;
import dev.penstock.roofline.RooflineReport;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** A station of the case study in a few lines: the ceilings, the stages, the sweep, the ledger, the first advice. */
final class CaseText {
    private CaseText() {}

    static void print(RooflineReport report, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "   %.1f batches/s = min(accelerator %.1f, data %.1f); the trainer waits %.0f %% of its time%n",
                report.batchesPerSecond(),
                report.acceleratorRoofline(),
                report.dataRoofline(),
                100 * report.evidence().waitShare());
        out.println("   capacities, batches/s:  "
                + report.evidence().capacity().stages().stream()
                        .map(stage -> String.format(Locale.ROOT, "%s %.1f", stage.name(), stage.capacity()))
                        .collect(Collectors.joining("   "))
                + "   (lowest: " + lowest(report) + ")");
        sweep(report, out);
        if (report.evidence().ledger() != null) {
            out.println("   where a step goes (95 % intervals):");
            report.evidence().ledger().text().lines().forEach(line -> out.println("     " + line));
        }
        Advice advice = report.advise().get(0);
        out.println("   advice: "
                + advice.kind().toString().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (advice.gain() == null ? "" : " (" + advice.gain() + ")") + ": " + advice.interpretation());
        out.println("           do: " + advice.nextStep());
        out.flush();
    }

    private static void sweep(RooflineReport report, PrintWriter out) {
        ConcurrencyReport sweep = report.evidence().decode();
        if (sweep == null) {
            return;
        }
        out.println("   with the trainer, by decode threads:  "
                + sweep.points().stream()
                        .map(p -> String.format(Locale.ROOT, "%d: %.1f", p.threads(), p.training()))
                        .collect(Collectors.joining("   "))
                + "   (data alone: "
                + sweep.points().stream()
                        .map(p -> String.format(Locale.ROOT, "%.1f", p.drained()))
                        .collect(Collectors.joining(", "))
                + "; limit: " + sweep.limit().toString().toLowerCase(Locale.ROOT) + ")");
    }

    /** The stage of the lowest capacity, the cores among them. */
    static String lowest(RooflineReport report) {
        String lowest = report.evidence().capacity().bottleneck();
        return lowest.equals(CapacityModel.CPU) ? "the cores" : lowest;
    }
}
