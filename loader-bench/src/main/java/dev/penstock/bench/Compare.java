package dev.penstock.bench;

import dev.penstock.bench.report.Comparison;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock compare A.json B.json}: two roofline reports side by side. */
@Command(
        name = "compare",
        description = "Show two roofline reports side by side: what changed, where the bottleneck went.")
final class Compare implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "A.json", description = "The earlier report.json.")
    Path first;

    @Parameters(index = "1", paramLabel = "B.json", description = "The later one.")
    Path second;

    @Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        spec.commandLine().getOut().print(Comparison.of(first, second));
        spec.commandLine().getOut().flush();
        return Main.OK;
    }
}
