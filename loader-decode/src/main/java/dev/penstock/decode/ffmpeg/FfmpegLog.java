package dev.penstock.decode.ffmpeg;

import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.bytedeco.ffmpeg.avutil.LogCallback;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * FFmpeg's log, sent to SLF4J at debug with the clip's name, never to the process's stderr.
 *
 * <p>Two steps, because a log call that waits for anything while FFmpeg holds its own locks can stop the whole process
 * (PyAV #751). FFmpeg's thread only puts the line into a bounded queue: no lock, no logger, no wait; a full queue
 * counts the line and drops it. A thread of ours, back from its FFmpeg calls and holding nothing, empties the queue
 * with {@link #drain()}. The one callback object lives as long as the process: JavaCPP gives out function pointers from
 * a small table, and the eleventh live instance of a class silently becomes NULL.
 *
 * <p>Where the logger {@code dev.penstock.ffmpeg} is not at debug when the library loads, FFmpeg's level is set to
 * quiet and no callback is installed: damaged files then cost no crossing into Java.
 *
 * <p>Thread-safe. {@link #enter} and {@link #leave} name the clip for the calling thread; a line from a thread of
 * FFmpeg's own carries no clip.
 */
final class FfmpegLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.penstock.ffmpeg");
    private static final int QUEUED_LINES = 256;
    private static final int LINES_PER_SECOND = 20;

    private static final ThreadLocal<@Nullable String> CLIP = new ThreadLocal<>();
    private static final FfmpegLog PROCESS = new FfmpegLog(LOG, System::nanoTime);

    /** Kept reachable for the life of the process: FFmpeg holds its address. Guarded by the class lock. */
    private static @Nullable Callback callback;

    private final Logger logger;
    private final LongSupplier nanoTime;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private long windowStart; // guarded by this
    private int windowLines; // guarded by this

    FfmpegLog(Logger logger, LongSupplier nanoTime) {
        this.logger = logger;
        this.nanoTime = nanoTime;
        this.windowStart = nanoTime.getAsLong();
    }

    /** Called once, by {@link FfmpegLibrary}. */
    static synchronized void takeOver() {
        if (!LOG.isDebugEnabled()) {
            avutil.av_log_set_level(avutil.AV_LOG_QUIET);
            return;
        }
        avutil.av_log_set_level(avutil.AV_LOG_WARNING);
        callback = new Callback();
        avutil.setLogCallback(callback);
    }

    /** From here on, FFmpeg's lines on this thread belong to {@code clip}. */
    static void enter(String clip) {
        CLIP.set(clip);
    }

    /** Ends {@link #enter} and logs what has come. Call with no lock held. */
    static void leave() {
        CLIP.set(null); // not remove(), which would make the next enter() allocate
        drain();
    }

    /** Logs the queued lines, from whatever thread they came. Call with no lock held. */
    static void drain() {
        if (PROCESS.queued.get() > 0) {
            PROCESS.flush();
        }
    }

    /** Takes one line of FFmpeg's. Never waits. */
    void offer(@Nullable String clip, int level, String text) {
        String line = text.strip();
        if (line.isEmpty()) {
            return;
        }
        if (queued.incrementAndGet() > QUEUED_LINES) {
            queued.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        lines.add((clip == null ? "" : clip + ": ") + levelName(level) + ": " + line);
    }

    /** Logs at most {@value #LINES_PER_SECOND} lines a second; says how many others there were. */
    synchronized void flush() {
        for (String line = lines.poll(); line != null; line = lines.poll()) {
            queued.decrementAndGet();
            if (mayLog()) {
                logger.debug("{}", line);
            } else {
                dropped.incrementAndGet();
            }
        }
    }

    private boolean mayLog() {
        long now = nanoTime.getAsLong();
        if (now - windowStart >= 1_000_000_000L) {
            windowStart = now;
            windowLines = 0;
            long missed = dropped.getAndSet(0);
            if (missed > 0) {
                logger.debug("{} more lines of FFmpeg's log were left out", missed);
            }
        }
        return windowLines++ < LINES_PER_SECOND;
    }

    private static String levelName(int level) {
        int plain = level & 0xff;
        if (plain <= avutil.AV_LOG_FATAL) {
            return "fatal";
        }
        if (plain <= avutil.AV_LOG_ERROR) {
            return "error";
        }
        return plain <= avutil.AV_LOG_WARNING ? "warning" : String.format(Locale.ROOT, "level %d", plain);
    }

    private static final class Callback extends LogCallback {
        @Override
        public void call(int level, BytePointer message) {
            try {
                PROCESS.offer(CLIP.get(), level, message.getString());
            } catch (Throwable ignored) {
                // A throw must not unwind through FFmpeg's frames; a lost log line harms nobody.
                PROCESS.dropped.incrementAndGet();
            }
        }
    }
}
