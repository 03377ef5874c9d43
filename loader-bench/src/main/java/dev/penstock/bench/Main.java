package dev.penstock.bench;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The {@code penstock} command.
 *
 * <p>Exit codes: {@value #OK} when the command did what it was asked, {@value #FAILED} when it ran and failed,
 * {@value #USAGE} when the command line itself was wrong. Results go to standard output, everything else to standard
 * error. A failure prints its message chain; {@code --stacktrace} adds the stack traces.
 */
@Command(
        name = "penstock",
        description = "Streams video and its ground truth into ready batches, and says what limits the training.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            InspectCommand.class,
            RunCommand.class,
            DigestCommand.class,
            ViewCommand.class,
            PlanCommand.class,
            MaterializeCommand.class,
            VerifyCommand.class,
            RooflineCommand.class,
            Compare.class,
            FramesCommand.class,
            IndexCommand.class,
            Version.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the command ran and failed", "2:the command line was wrong"})
public final class Main implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    /** The command did what it was asked. */
    public static final int OK = 0;

    /** The command ran and failed. */
    public static final int FAILED = 1;

    /** The command line was wrong; nothing ran. */
    public static final int USAGE = 2;

    @CommandLine.Option(
            names = "--stacktrace",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Print the stack trace of a failure.")
    boolean stacktrace;

    @Spec
    CommandSpec spec;

    /** What a command opened for all its parts; confined to the thread that runs it. */
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Runs the command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command with all its subcommands; a test gives it its own writers and reads the exit code. */
    static CommandLine commandLine() {
        Main main = new Main();
        return new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(main::execute)
                .setExecutionExceptionHandler(main::report);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: a subcommand is missing.");
    }

    /** Closes {@code resource} when the command has ended, however it ended. */
    void closeAtEnd(AutoCloseable resource) {
        opened.add(resource);
    }

    private int execute(ParseResult arguments) {
        try {
            return new CommandLine.RunLast().execute(arguments);
        } finally {
            opened.forEach(Main::close);
            opened.clear();
        }
    }

    /** What the command did stands, whatever its connections say when they close. */
    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("{} could not be closed", resource, e);
        }
    }

    private int report(Exception failure, CommandLine command, ParseResult arguments) {
        var err = command.getErr();
        if (stacktrace) {
            failure.printStackTrace(err);
        } else {
            String lead = "";
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                err.println(lead + (cause.getMessage() == null ? cause.toString() : cause.getMessage()));
                lead = "  because: ";
            }
        }
        err.flush();
        return FAILED;
    }
}
