package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class FfmpegLogTest {

    private final AtomicLong clock = new AtomicLong();
    private final RecordingLogger logger = new RecordingLogger();
    private final FfmpegLog log = new FfmpegLog(logger, clock::get);

    @Test
    void aLineCarriesTheClipAndTheLevel() {
        FfmpegLibrary.load();
        log.offer("front/0.mp4", avutil.AV_LOG_ERROR, "[h264] bad slice\n");
        log.offer(null, avutil.AV_LOG_WARNING, "late\n");
        log.offer("front/0.mp4", avutil.AV_LOG_ERROR, "  \n");
        log.flush();
        assertThat(logger.lines).containsExactly("front/0.mp4: error: [h264] bad slice", "warning: late");
    }

    @Test
    void linesPastTheRateAreCountedAndTheCountIsLoggedInTheNextSecond() {
        FfmpegLibrary.load();
        for (int i = 0; i < 50; i++) {
            log.offer("a", avutil.AV_LOG_ERROR, "line " + i);
        }
        log.flush();
        assertThat(logger.lines).hasSize(20);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        log.offer("a", avutil.AV_LOG_ERROR, "again");
        log.flush();
        assertThat(logger.lines.subList(20, 22))
                .containsExactly("30 more lines of FFmpeg's log were left out", "a: error: again");
    }

    @Test
    void aFullQueueDropsLinesInsteadOfGrowing() {
        FfmpegLibrary.load();
        for (int i = 0; i < 10_000; i++) {
            log.offer("a", avutil.AV_LOG_ERROR, "line " + i);
        }
        log.flush();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        log.offer("a", avutil.AV_LOG_ERROR, "again");
        log.flush();
        assertThat(logger.lines).contains("9980 more lines of FFmpeg's log were left out");
    }

    /** The level is chosen when the library loads, so both settings need a JVM of their own. */
    @Test
    void ffmpegsLinesReachTheLoggerWithTheClipAtDebugAndNothingReachesStderrOtherwise(@TempDir Path folder)
            throws Exception {
        Path broken = Files.write(folder.resolve("broken.mp4"), brokenMp4());
        assertThat(stderrOfOpening(broken, "debug")).contains("DEBUG dev.penstock.ffmpeg - the clip: error: ");
        assertThat(stderrOfOpening(broken, "info")).isEmpty();
    }

    private static String stderrOfOpening(Path file, String level) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        // Without it newer JDKs print a warning of their own when the natives are loaded.
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.add("-Dorg.slf4j.simpleLogger.log.dev.penstock.ffmpeg=" + level);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Opener.class.getName(), file.toString()));
        Process child = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String stderr = new String(child.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(stderr).isZero();
        return stderr;
    }

    /** An ftyp box and a moov box that says nothing: the demuxer complains about it. */
    private static byte[] brokenMp4() {
        byte[] file = new byte[24 + 8];
        byte[] head = {
            0, 0, 0, 24, 'f', 't', 'y', 'p', 'i', 's', 'o', 'm', 0, 0, 2, 0, 'i', 's', 'o', 'm', 'a', 'v', 'c', '1'
        };
        System.arraycopy(head, 0, file, 0, head.length);
        byte[] moov = {0, 0, 0, 8, 'f', 'r', 'e', 'e'};
        System.arraycopy(moov, 0, file, 24, moov.length);
        return file;
    }

    /** Opens its argument, which fails, in a JVM of its own. */
    static final class Opener {
        public static void main(String[] arguments) {
            FfmpegLibrary.load();
            FfmpegLog.enter("the clip");
            int opened = avformat.avformat_open_input(
                    new AVFormatContext(null), arguments[0], (AVInputFormat) null, (AVDictionary) null);
            FfmpegLog.leave();
            System.exit(opened < 0 ? 0 : 1);
        }
    }

    private static final class RecordingLogger extends AbstractLogger {
        private static final long serialVersionUID = 1;
        final transient List<String> lines = new ArrayList<>();

        @Override
        protected String getFullyQualifiedCallerName() {
            return RecordingLogger.class.getName();
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            lines.add(MessageFormatter.basicArrayFormat(pattern, arguments));
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isTraceEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled(Marker marker) {
            return true;
        }
    }
}
