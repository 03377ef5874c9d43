package dev.penstock.bench;

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

    /** Runs the command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command with all its subcommands; a test gives it its own writers and reads the exit code. */
    static CommandLine commandLine() {
        Main main = new Main();
        return new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::execute)
                .setExecutionExceptionHandler(main::report);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: a subcommand is missing.");
    }

    /** Runs the command; its connections to storage end with it, however it ends. */
    private static int execute(ParseResult arguments) {
        try {
            return new CommandLine.RunLast().execute(arguments);
        } finally {
            for (ParseResult part = arguments; part != null; part = part.subcommand()) {
                closeStorage(part.commandSpec());
            }
        }
    }

    private static void closeStorage(CommandSpec of) {
        if (of.userObject() instanceof StorageOptions storage) {
            storage.close();
        }
        of.mixins().values().forEach(Main::closeStorage);
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
