package dev.penstock.probe;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes a trace that Perfetto and chrome://tracing open: one slice for each piece of work on its worker's track, one for
 * each data wait on the trainer's. Give it to a loader both as probe and as work probe, and close it after the loader.
 *
 * <p>Format: "Trace Event Format", JSON array form, complete events (ph X) in microseconds, and the name of each track
 * (ph M) before its first slice. Slices of one track lie beside one another, never across: a worker has one piece at a
 * time. Thread-safe: events are
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
    /** Guarded by this: threads whose track has its name. */
    private final Set<Long> named = new HashSet<>();
    /** Guarded by this: the event being written. */
    private final StringBuilder line = new StringBuilder(200);

    /** Creates {@code file}, for at most {@code mostEvents} events of some 150 bytes each. */
    public TraceFile(Path file, long mostEvents) throws IOException {
        out = Files.newBufferedWriter(file);
        left = mostEvents;
        out.write("[");
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        add("data wait", epoch, batch, -1, System.nanoTime() - waitNanos, waitNanos);
    }

    @Override
    public void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes) {
        add(stage.label(), epoch, batch, piece, startNanos, nanos);
    }

    private synchronized void add(String name, int epoch, long batch, int piece, long startNanos, long nanos) {
        if (closed || left <= 0) {
            return;
        }
        left--;
        try {
            long thread = Thread.currentThread().getId();
            if (named.add(thread)) {
                begin("thread_name", 'M', thread)
                        .append(",\"args\":{\"name\":\"")
                        .append(Thread.currentThread().getName().replaceAll("[\"\\\\\\p{Cntrl}]", "'"))
                        .append("\"}}");
                out.append(line);
            }
            begin(name, 'X', thread).append(",\"cat\":\"penstock\",\"ts\":");
            micros(startNanos).append(",\"dur\":");
            micros(nanos).append(",\"args\":{\"epoch\":").append(epoch);
            line.append(",\"batch\":")
                    .append(batch)
                    .append(",\"piece\":")
                    .append(piece)
                    .append("}}");
            out.append(line);
        } catch (IOException e) {
            closed = true;
            throw new UncheckedIOException("the trace could not be written", e);
        }
    }

    /** The fields that every event has. Called under the lock. */
    private StringBuilder begin(String name, char kind, long thread) {
        line.setLength(0);
        line.append(first ? "\n" : ",\n")
                .append("{\"name\":\"")
                .append(name)
                .append("\",\"ph\":\"")
                .append(kind);
        first = false;
        return line.append("\",\"pid\":1,\"tid\":").append(thread);
    }

    /** Microseconds with three decimals, without a formatter: there are thousands a second. Called under the lock. */
    private StringBuilder micros(long nanos) {
        int rest = (int) Math.floorMod(nanos, 1_000L);
        line.append(Math.floorDiv(nanos, 1_000L)).append('.');
        return line.append(rest / 100).append(rest / 10 % 10).append(rest % 10);
    }

    /** Ends the array and closes the file. Idempotent. */
    @Override
    public synchronized void close() throws IOException {
        if (left >= 0) {
            left = -1;
            closed = true;
            out.write("\n]\n");
            out.close();
        }
    }
}
