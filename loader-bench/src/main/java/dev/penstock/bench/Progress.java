package dev.penstock.bench;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;

/** One line on a terminal that says how far it is; nothing in a pipe. Calls must not overlap. */
final class Progress {
    private static final long EVERY_NANOS = 200_000_000;
    private static final int WIDTH = 72;

    private final PrintWriter err;
    private final String what;
    private final boolean terminal = isTerminal() && System.getenv("CI") == null;
    private final long startedAt = System.nanoTime();
    private long shownAt = startedAt - EVERY_NANOS;

    Progress(PrintWriter err, String what) {
        this.err = err;
        this.what = what;
    }

    /** Java 22 and later have a console in a pipe too, which says itself whether it is a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null || Runtime.version().feature() < 22) {
            return console != null;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    void show(long done, long of) {
        long now = System.nanoTime();
        if (!terminal || (now - shownAt < EVERY_NANOS && done < of)) {
            return;
        }
        shownAt = now;
        double seconds = (now - startedAt) / 1e9;
        double left = done == 0 ? 0 : seconds / done * (of - done);
        String line = String.format(
                Locale.ROOT, "%s %d of %d, %.1f a second, %.0f s left", what, done, of, done / seconds, left);
        err.print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
        err.flush();
    }

    void clear() {
        if (terminal) {
            err.print("\r" + " ".repeat(WIDTH) + "\r");
            err.flush();
        }
    }
}
