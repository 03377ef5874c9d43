package dev.penstock.roofline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Watches, through Java Flight Recorder, on which locks the loader's workers wait inside plug-in code (a decoder's
 * global lock, say). Waits of the engine's own queues are left out: the stage counters have them. Locks in native code
 * are invisible to it.
 *
 * <p>From {@link #start} to {@link #stop} a recording stream runs in this JVM with two events of 0.2 ms threshold. Where
 * flight recording is not to be had, nothing is seen.
 */
final class LockWatch {
    private static final String WORKERS = "penstock";
    private static final String ENGINE = "dev.penstock.engine.";
    private static final Duration THRESHOLD = Duration.ofNanos(200_000);

    private record Key(String lock, String where) {}

    /** Written by the stream's thread, read after it was joined. */
    private final Map<Key, Long> waits = new ConcurrentHashMap<>();

    private @Nullable RecordingStream stream;

    void start() {
        try {
            RecordingStream recording = new RecordingStream();
            recording.enable("jdk.JavaMonitorEnter").withThreshold(THRESHOLD).withStackTrace();
            recording.enable("jdk.ThreadPark").withThreshold(THRESHOLD).withStackTrace();
            recording.onEvent("jdk.JavaMonitorEnter", event -> add(event, "monitorClass"));
            recording.onEvent("jdk.ThreadPark", event -> add(event, "parkedClass"));
            recording.startAsync();
            stream = recording;
        } catch (IllegalStateException | SecurityException | UnsupportedOperationException e) {
            org.slf4j.LoggerFactory.getLogger(LockWatch.class)
                    .info("no flight recording in this JVM ({}); locks go unseen", e.getMessage());
        }
    }

    /** What was seen, the longest first. */
    List<LockWait> stop() {
        RecordingStream recording = stream;
        stream = null;
        if (recording == null) {
            return List.of();
        }
        recording.setOrdered(false);
        stopAndFlush(recording);
        List<LockWait> found = new ArrayList<>();
        waits.forEach((key, nanos) -> found.add(new LockWait(key.lock(), key.where(), nanos)));
        found.sort(Comparator.comparingLong(LockWait::nanos).reversed());
        return found;
    }

    /** A stream hands out events about once a second; what lies in its buffers when it is closed is lost. */
    private static void stopAndFlush(RecordingStream recording) {
        java.util.concurrent.CountDownLatch flushed = new java.util.concurrent.CountDownLatch(2);
        recording.onFlush(flushed::countDown);
        try {
            if (!flushed.await(4, java.util.concurrent.TimeUnit.SECONDS)) {
                org.slf4j.LoggerFactory.getLogger(LockWatch.class).debug("the flight recording was slow to flush");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            recording.close();
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
