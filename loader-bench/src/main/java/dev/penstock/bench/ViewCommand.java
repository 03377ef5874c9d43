package dev.penstock.bench;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock view}: prints the view that the flags mean, as JSON for {@code --view}. */
@Command(
        name = "view",
        mixinStandardHelpOptions = true,
        description = "Print a view as JSON, to be edited and given to --view.")
final class ViewCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    ViewOptions view;

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().println(view.view(null).toJson());
        spec.commandLine().getOut().flush();
        return Main.OK;
    }
}
