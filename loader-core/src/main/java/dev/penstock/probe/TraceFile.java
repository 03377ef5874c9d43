package dev.penstock.probe;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Writes a trace that Perfetto and chrome://tracing open: one slice for each piece of work on its worker's track, one for
 * each data wait on the trainer's. Give it to a loader both as probe and as work probe, and close it after the loader.
 *
 * <p>Format: "Trace Event Format", JSON array form, complete events (ph X) in microseconds. Thread-safe: events are
 * written under one lock to a buffered file. It stops adding after {@code mostEvents}, so a forgotten trace does not fill
 * the disk.
 */
public final class TraceFile implements DataWaitProbe, WorkProbe, AutoCloseable {
    /** Guarded by this. */
    private final BufferedWriter out;
    /** Guarded by this. */
    private long left;
    /** Guarded by this. */
    private boolean first = true;
    /** Guarded by this. */
    private boolean closed;

    /** Creates {@code file}, for at most {@code mostEvents} events of some 150 bytes each. */
    public TraceFile(Path file, long mostEvents) throws IOException {
        out = Files.newBufferedWriter(file);
        left = mostEvents;
        out.write("[");
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        add("data wait", "trainer", epoch, batch, -1, System.nanoTime() - waitNanos, waitNanos);
    }

    @Override
    public void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes) {
        add(stage.label(), Thread.currentThread().getName(), epoch, batch, piece, startNanos, nanos);
    }

    private synchronized void add(
            String name, String track, int epoch, long batch, int piece, long startNanos, long nanos) {
        if (closed || left <= 0) {
            return;
        }
        left--;
        try {
            long thread = Thread.currentThread().getId();
            out.write(String.format(
                    Locale.ROOT,
                    "%s%n{\"name\":\"%s\",\"cat\":\"penstock\",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
                            + "\"args\":{\"track\":\"%s\",\"epoch\":%d,\"batch\":%d,\"piece\":%d}}",
                    first ? "" : ",",
                    name,
                    thread,
                    startNanos / 1e3,
                    nanos / 1e3,
                    track.replaceAll("[\"\\\\]", "'"),
                    epoch,
                    batch,
                    piece));
            first = false;
        } catch (IOException e) {
            closed = true;
            throw new UncheckedIOException("the trace could not be written", e);
        }
    }

    /** Ends the array and closes the file. Idempotent. */
    @Override
    public synchronized void close() throws IOException {
        if (left >= 0) {
            left = -1;
            closed = true;
            out.write(System.lineSeparator() + "]" + System.lineSeparator());
            out.close();
        }
    }
}
