package dev.penstock.decode.ffmpeg;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.ffmpeg.global.swresample;
import org.bytedeco.ffmpeg.global.swscale;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * FFmpeg's natives, loaded once for the process.
 *
 * <p>{@link #load()} comes before any other use of FFmpeg; it may be called from any thread, any number of times. It
 * loads avutil, swresample (avcodec links to it), avcodec, avformat and swscale, and never avdevice or avfilter, which
 * need sound and display libraries that servers lack. A failure is remembered and thrown at every call, so that the
 * second user of a broken installation sees the same message as the first.
 */
public final class FfmpegLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(FfmpegLibrary.class);
    private static final AtomicBoolean AHEAD = new AtomicBoolean();

    private FfmpegLibrary() {}

    /**
     * Loads the natives and takes over FFmpeg's log (see {@link FfmpegLog}).
     *
     * @throws IllegalStateException when the natives of this platform are missing or do not fit; the message names the
     *     dependency to add
     */
    public static void load() {
        if (Loaded.FAILURE != null) {
            throw new IllegalStateException(Loaded.FAILURE, Loaded.CAUSE);
        }
    }

    /**
     * Starts {@link #load()} on a thread of its own, once, and returns: linking the natives takes a cold JVM a third of a
     * second, which an application that opens a dataset now will need soon. A failure is thrown by the next load().
     */
    public static void loadAhead() {
        if (AHEAD.compareAndSet(false, true)) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            load();
                        } catch (IllegalStateException e) {
                            LOG.debug("loading FFmpeg ahead failed; whoever needs it is told", e);
                        }
                    },
                    "ffmpeg-load");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Versions of the loaded libraries, by name: {@code ffmpeg}, {@code avutil}, {@code avcodec} and so on. */
    public static Map<String, String> versions() {
        load();
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("ffmpeg", text(avutil.av_version_info()));
        versions.put("avutil", dotted(avutil.avutil_version()));
        versions.put("avcodec", dotted(avcodec.avcodec_version()));
        versions.put("avformat", dotted(avformat.avformat_version()));
        versions.put("swscale", dotted(swscale.swscale_version()));
        return versions;
    }

    /** The licence under which the loaded natives were built, such as {@code LGPL version 3 or later}. */
    public static String license() {
        load();
        return text(avcodec.avcodec_license());
    }

    private static String text(BytePointer string) {
        return string.getString();
    }

    private static String dotted(int version) {
        return (version >> 16) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
    }

    /** Initialised by the JVM under its class lock: once, whoever comes first. */
    private static final class Loaded {
        static final @Nullable String FAILURE;
        static final @Nullable Throwable CAUSE;

        static {
            String failure = null;
            Throwable cause = null;
            // JavaCPP refuses its own allocations once the whole process is large, batches included, with an
            // OutOfMemoryError that blames the wrong one. The loader has its own budget; a user's setting stands.
            if (System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes") == null
                    && System.getProperty("org.bytedeco.javacpp.maxphysicalbytes") == null) {
                System.setProperty("org.bytedeco.javacpp.maxPhysicalBytes", "0");
            }
            try {
                for (Class<?> library :
                        List.of(avutil.class, swresample.class, avcodec.class, avformat.class, swscale.class)) {
                    Loader.load(library);
                }
                FfmpegLog.takeOver();
            } catch (LinkageError | RuntimeException e) {
                failure = "FFmpeg's natives for " + platform() + " could not be loaded (" + e.getMessage()
                        + "). Add the dependencies org.bytedeco:javacpp and org.bytedeco:ffmpeg with classifier "
                        + platform() + ", in the versions that Penstock was built with.";
                cause = e;
            }
            FAILURE = failure;
            CAUSE = cause;
        }

        private static String platform() {
            try {
                return Loader.getPlatform();
            } catch (LinkageError e) {
                return System.getProperty("os.name") + "-" + System.getProperty("os.arch");
            }
        }
    }
}
