package dev.penstock.roofline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches, through Java Flight Recorder, on which locks the loader's workers wait inside plug-in code (a decoder's
 * global lock, say). Waits of the engine's own queues are left out: the stage counters have them. Locks in native code
 * are invisible to it.
 *
 * <p>From {@link #start} to {@link #stop} a recording with two events of 0.2 ms threshold runs in this JVM; it is written
 * to a temporary file, read and deleted. Where flight recording is not to be had, nothing is seen.
 */
final class LockWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LockWatch.class);
    private static final String WORKERS = "penstock";
    private static final String ENGINE = "dev.penstock.engine.";
    private static final Duration THRESHOLD = Duration.ofNanos(200_000);

    private record Key(String lock, String where) {}

    private final Map<Key, Long> waits = new HashMap<>();
    private @Nullable Recording recording;

    void start() {
        try {
            Recording begun = new Recording();
            begun.setName("penstock locks");
            begun.enable("jdk.JavaMonitorEnter").withThreshold(THRESHOLD).withStackTrace();
            begun.enable("jdk.ThreadPark").withThreshold(THRESHOLD).withStackTrace();
            begun.start();
            recording = begun;
        } catch (IllegalStateException | SecurityException e) {
            LOG.info("no flight recording in this JVM ({}); locks go unseen", e.getMessage());
        }
    }

    /** What was seen, the longest first. */
    List<LockWait> stop() {
        Recording ended = recording;
        recording = null;
        if (ended == null) {
            return List.of();
        }
        try (ended) {
            ended.stop();
            read(ended);
        } catch (IOException e) {
            LOG.info("the flight recording could not be read ({}); locks go unseen", e.getMessage());
        }
        List<LockWait> found = new ArrayList<>();
        waits.forEach((key, nanos) -> found.add(new LockWait(key.lock(), key.where(), nanos)));
        found.sort(Comparator.comparingLong(LockWait::nanos).reversed());
        return found;
    }

    private void read(Recording ended) throws IOException {
        Path file = Files.createTempFile("penstock-locks", ".jfr");
        try {
            ended.dump(file);
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    switch (event.getEventType().getName()) {
                        case "jdk.JavaMonitorEnter" -> add(event, "monitorClass");
                        case "jdk.ThreadPark" -> add(event, "parkedClass");
                        default -> {}
                    }
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void add(RecordedEvent event, String classField) {
        String thread = event.getThread() == null ? null : event.getThread().getJavaName();
        if (thread == null || !thread.startsWith(WORKERS) || event.getStackTrace() == null) {
            return;
        }
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            String type = frame.getMethod().getType().getName();
            if (type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.")) {
                continue;
            }
            if (!type.startsWith(ENGINE)) {
                RecordedClass lock = event.getClass(classField);
                String name = lock == null ? "unknown" : lock.getName();
                String where = type + "." + frame.getMethod().getName();
                waits.merge(new Key(name, where), event.getDuration().toNanos(), Long::sum);
            }
            return;
        }
    }
}
