package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.probe.CompositeProbe;
import dev.penstock.probe.CompositeWorkProbe;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.JfrProbe;
import dev.penstock.probe.TraceFile;
import dev.penstock.probe.WorkProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a run's events go besides its report: nowhere, unless asked. */
final class ExportOptions {
    private static final long MOST_EVENTS = 2_000_000;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write every piece of work and every wait as a trace for Perfetto or chrome://tracing.")
    @Nullable
    Path trace;

    @Option(
            names = "--jfr",
            paramLabel = "FILE",
            description = "Write them as events of Java Flight Recorder: dev.penstock.Delivery and dev.penstock.Work.")
    @Nullable
    Path jfr;

    /** Opens what was asked for; close it after the loader. */
    Open open() throws IOException {
        return new Open(
                trace == null ? null : new TraceFile(trace, MOST_EVENTS), jfr == null ? null : new Recording(), jfr);
    }

    /** The files that are written. */
    static final class Open implements AutoCloseable {
        private final @Nullable TraceFile trace;
        private final @Nullable Recording recording;
        private final @Nullable Path file;

        private Open(@Nullable TraceFile trace, @Nullable Recording recording, @Nullable Path file) {
            this.trace = trace;
            this.recording = recording;
            this.file = file;
            if (recording != null) {
                recording.enable("dev.penstock.Delivery");
                recording.enable("dev.penstock.Work");
                recording.start();
            }
        }

        Loader.Builder attachedTo(Loader.Builder builder) {
            List<DataWaitProbe> waits = new ArrayList<>();
            List<WorkProbe> work = new ArrayList<>();
            if (trace != null) {
                waits.add(trace);
                work.add(trace);
            }
            if (recording != null) {
                JfrProbe events = new JfrProbe();
                waits.add(events);
                work.add(events);
            }
            return builder.probe(CompositeProbe.of(waits)).workProbe(CompositeWorkProbe.of(work));
        }

        @Override
        public void close() throws IOException {
            if (recording != null) {
                recording.stop();
                recording.dump(file);
                recording.close();
            }
            if (trace != null) {
                trace.close();
            }
        }
    }
}
