package dev.penstock.bench;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Spec;

/** {@code penstock version}: what a bug report needs to say about this build and the machine it runs on. */
@Command(name = "version", description = "Print the versions of Penstock, Java and the operating system.")
final class Version implements IVersionProvider, Runnable {

    @Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public String[] getVersion() {
        return new String[] {
            "penstock " + penstock(),
            "java " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")",
            "os " + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                    + System.getProperty("os.arch") + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors",
        };
    }

    @Override
    public void run() {
        var out = spec.commandLine().getOut();
        for (String line : getVersion()) {
            out.println(line);
        }
        out.flush();
    }

    /** The jar's manifest carries the version; classes that run out of a build folder have none. */
    private static String penstock() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "(not packaged)");
    }
}
