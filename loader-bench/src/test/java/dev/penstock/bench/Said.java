package dev.penstock.bench;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command printed, and its exit code. */
record Said(int code, String out, String err) {

    /** Runs a command as a person types it. */
    static Said by(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Said(code, out.toString(), err.toString());
    }

    String lastLine() {
        return out.strip().substring(out.strip().lastIndexOf('\n') + 1);
    }
}
