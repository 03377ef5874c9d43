package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_from_context;
import static org.bytedeco.ffmpeg.global.avformat.*;
import static org.bytedeco.ffmpeg.global.avutil.*;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVOutputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One video stream written to a file with exact times. The file is written under another name beside its own and takes
 * its place whole, by an atomic rename, in {@link #finish}; {@link #close} without it leaves nothing. For one thread.
 */
final class ClipMuxer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClipMuxer.class);

    private static final Map<String, String> FORMATS =
            Map.of("mp4", "mp4", "m4v", "mp4", "mov", "mov", "mkv", "matroska", "webm", "webm");
    /** As FFmpeg's MP4 muxer does, so that a coarse time base leaves room for durations. */
    private static final int LEAST_TIMESCALE = 10_000;

    private final Path file;
    private final Path aside;
    private final EncoderSettings settings;
    private final AVFormatContext format = new AVFormatContext(null);
    private @Nullable AVStream stream;
    private boolean finished;

    ClipMuxer(Path file, EncoderSettings settings) throws IOException {
        this.file = file.toAbsolutePath();
        this.settings = settings;
        String name = this.file.getFileName().toString();
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        String container = FORMATS.get(extension);
        if (container == null) {
            throw new IllegalArgumentException(
                    "clip " + file + ": no container for '." + extension + "', must be mp4, mov, mkv or webm");
        }
        Path folder = this.file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("clip " + file + ": the folder does not exist; make it first");
        }
        // Not createTempFile: its files are for their owner only, and the clip should be as readable as any other.
        aside = Files.createFile(folder.resolve("." + name + "." + UUID.randomUUID() + ".part"));
        try {
            // The muxer opens the file once more, by this name, to move the index to its front.
            String url = "file:" + aside;
            check(avformat_alloc_output_context2(format, (AVOutputFormat) null, container, url), "making a container");
            if (avformat_query_codec(format.oformat(), settings.codec().id, 1) != 1) {
                throw new IllegalArgumentException("clip " + file + ": " + settings.codec() + " does not go into ."
                        + extension + "; use .mkv, or .mp4 with H264, AV1 or VP9");
            }
            format.flags(format.flags() | AVFormatContext.AVFMT_FLAG_BITEXACT);
            AVIOContext output = new AVIOContext(null);
            check(avio_open(output, url, AVIO_FLAG_WRITE), "opening " + aside);
            format.pb(output);
        } catch (RuntimeException | IOException e) {
            close();
            throw e;
        }
    }

    boolean wantsGlobalHeader() {
        return (format.oformat().flags() & AVFMT_GLOBALHEADER) != 0;
    }

    /** Writes the header for an opened encoder. */
    void start(AVCodecContext encoder) throws IOException {
        AVStream made = avformat_new_stream(format, null);
        if (made == null) {
            throw new OutOfMemoryError("no native memory for a stream of " + file);
        }
        stream = made;
        check(avcodec_parameters_from_context(made.codecpar(), encoder), "describing the stream");
        made.codecpar().codec_tag(0);
        made.time_base(av_make_q(settings.timeBaseNumerator(), settings.timeBaseDenominator()));
        made.avg_frame_rate(av_make_q(settings.frameRateNumerator(), settings.frameRateDenominator()));
        AVDictionary options = new AVDictionary(null);
        if (format.oformat().name().getString().matches("mp4|mov")) {
            int timescale = settings.timeBaseDenominator();
            while (timescale < LEAST_TIMESCALE) {
                timescale *= 2;
            }
            // One clock for track and movie: an edit list's start counts in the movie's.
            av_dict_set(options, "video_track_timescale", Integer.toString(timescale), 0);
            av_dict_set(options, "movie_timescale", Integer.toString(timescale), 0);
            av_dict_set(options, "movflags", "+faststart", 0);
        }
        try {
            check(avformat_write_header(format, options), "writing the header");
        } finally {
            av_dict_free(options);
        }
    }

    /**
     * Writes the next packet.
     *
     * @param pts ticks of the settings' time base; at least 0
     * @param duration ticks until the next frame
     */
    void write(AVPacket packet, long pts, long duration) throws IOException {
        packet.stream_index(0);
        packet.pts(exact(pts, pts));
        packet.dts(packet.pts());
        packet.duration(exact(pts + duration, pts) - packet.pts());
        check(av_write_frame(format, packet), "writing the frame at pts " + pts);
        if (format.pb().error() < 0) {
            check(format.pb().error(), "writing the frame at pts " + pts);
        }
    }

    private long exact(long ticks, long pts) {
        var base = Objects.requireNonNull(stream).time_base();
        long numerator = Math.multiplyExact((long) settings.timeBaseNumerator(), (long) base.den());
        long denominator = Math.multiplyExact((long) settings.timeBaseDenominator(), (long) base.num());
        long common = gcd(numerator, denominator);
        long product = Math.multiplyExact(ticks, numerator / common);
        if (product % (denominator / common) != 0) {
            throw new IllegalArgumentException("clip " + file + ": the time of the frame at pts " + pts + " ("
                    + settings.timeBaseNumerator() + "/" + settings.timeBaseDenominator()
                    + " s a tick) or its end is no whole number of the container's ticks (" + base.num() + "/"
                    + base.den() + " s); use .mp4, which keeps any time base");
        }
        return product / (denominator / common);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Ends the file and puts it in its place. */
    void finish() throws IOException {
        check(av_write_trailer(format), "writing the index");
        check(avio_closep(format.pb()), "closing");
        format.pb(null);
        try (FileChannel written = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        finished = true;
        close();
    }

    private void check(int code, String doing) throws IOException {
        if (code < 0) {
            throw new IOException("clip " + file + ": " + doing + ": " + FfmpegErrors.text(code));
        }
    }

    @Override
    public void close() {
        if (!format.isNull()) {
            if (format.pb() != null && !format.pb().isNull()) {
                avio_closep(format.pb());
                format.pb(null);
            }
            avformat_free_context(format);
            format.setNull();
        }
        if (!finished) {
            try {
                Files.deleteIfExists(aside);
            } catch (IOException e) {
                LOG.warn("could not delete {}", aside, e);
            }
        }
    }
}
