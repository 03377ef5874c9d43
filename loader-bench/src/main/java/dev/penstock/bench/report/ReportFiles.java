package dev.penstock.bench.report;

import dev.penstock.roofline.RooflineReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a report. */
public final class ReportFiles {
    private ReportFiles() {}

    /** Writes {@code report.json} and {@code report.html} into {@code folder}, which is made where it is absent. */
    public static void write(RooflineReport report, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("report.json"), report.toJson());
        Files.writeString(folder.resolve("report.html"), HtmlReport.of(report));
    }
}
