package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionNamesPenstockJavaAndTheOperatingSystem() {
        assertThat(run("version")).isEqualTo(Main.OK);
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("penstock "),
                        line -> assertThat(line).startsWith("java " + Runtime.version()),
                        line -> assertThat(line).startsWith("os " + System.getProperty("os.name")));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpListsTheExitCodesAndEndsWell() {
        assertThat(run("--help")).isEqualTo(Main.OK);
        assertThat(out.toString()).contains("Exit codes:", "version");
    }

    @Test
    void anUnknownSubcommandIsAUsageErrorThatNamesIt() {
        assertThat(run("bogus")).isEqualTo(Main.USAGE);
        assertThat(err.toString()).contains("bogus");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMissingSubcommandIsAUsageError() {
        assertThat(run()).isEqualTo(Main.USAGE);
        assertThat(err.toString()).contains("a subcommand is missing", "Usage: penstock");
    }

    @Test
    void aFailureEndsWithOneAndPrintsItsCausesWithoutAStackTrace() {
        assertThat(run("fail")).isEqualTo(Main.FAILED);
        assertThat(err.toString().lines()).containsExactly("clip 7 is gone", "  because: disk on fire");
    }

    @Test
    void stacktraceAddsWhereTheFailureCameFrom() {
        assertThat(run("fail", "--stacktrace")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("clip 7 is gone", "at dev.penstock.bench.MainTest$Fail.run");
    }

    private int run(String... arguments) {
        CommandLine penstock = Main.commandLine();
        penstock.addSubcommand(new Fail());
        return penstock.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Command(name = "fail")
    private static final class Fail implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("clip 7 is gone", new IllegalArgumentException("disk on fire"));
        }
    }
}
