package dev.penstock.arrow.artifact;

import dev.penstock.arrow.ArrowFramesWriter;
import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.decode.ffmpeg.ClipEncoder;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.decode.ffmpeg.EncoderSettings;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes one camera's frames as a clip of the artifact and makes the clip's index, which has the source's times to the
 * tick. The container has them too where it can: from 0 on and ascending. Used once, by one thread.
 */
final class ClipWriter {
    private static final int MOST_FRAME_RATE = 65_535;
    /** 'R' 'G' 'B' 24: how FFmpeg's raw video decoder is told of interleaved 8-bit pixels. */
    private static final int RAW_TAG = 'R' | 'G' << 8 | 'B' << 16 | 24 << 24;

    private static final int UNKNOWN = -99;

    private final ClipSweep source;
    private final ArtifactEncoding encoding;
    private final Path file;
    private final Size size;
    private final PictureTransform transform;
    private final Samples samples;

    ClipWriter(ClipSweep source, PictureRule rule, ArtifactEncoding encoding, Path file) {
        this.source = source;
        this.encoding = encoding;
        this.file = file;
        this.size = sizeOf(source, rule, encoding);
        Layout layout = layout(encoding);
        this.transform = size.equals(rule.size()) ? rule.transform(layout) : rule.transform(size, layout);
        this.samples = new Samples(transform.bytes());
    }

    /** A letterbox is not written where the picture alone can be: the loader puts the same one round it again. */
    private static Size sizeOf(ClipSweep source, PictureRule rule, ArtifactEncoding encoding) {
        if (rule.resize() != Resize.LETTERBOX) {
            return rule.size();
        }
        Size shown = source.shown(rule.transform(layout(encoding)));
        return encoding.codec().refuses(shown) == null ? shown : rule.size();
    }

    private static Layout layout(ArtifactEncoding encoding) {
        return encoding.codec() == ArtifactCodec.RAW ? Layout.THWC : Layout.TCHW;
    }

    /** Off-heap bytes that writing a clip takes beside reading it, an estimate from above. */
    static long memory(PictureRule rule, ArtifactEncoding encoding) {
        long pixels = (long) rule.size().width() * rule.size().height();
        return switch (encoding.codec()) {
            case RAW -> ArrowFramesWriter.memory(rule.size());
            case AV1 -> (64L << 20) + 200 * pixels;
            default -> (8L << 20) + 40 * pixels;
        };
    }

    /** Size of the pictures as they are written. */
    Size size() {
        return size;
    }

    /** The pictures before encoding that the clip is compared with. */
    Samples samples() {
        return samples;
    }

    /** Takes each frame once it is written. */
    interface Progress {
        void frame();
    }

    /**
     * Writes the first {@code frames} frames.
     *
     * @return the clip's index, whose address is the clip's file name
     */
    ClipIndex write(int frames, Progress progress) throws IOException {
        samples.choose(frames);
        ClipIndex made = encoding.codec() == ArtifactCodec.RAW ? raw(frames, progress) : encoded(frames, progress);
        if (made.frameCount() != frames || made.packets().count() != frames) {
            throw new IOException(file + ": " + frames + " frames were written, " + made.frameCount() + " in "
                    + made.packets().count() + " packets are there; please report this");
        }
        return made;
    }

    private ClipIndex encoded(int frames, Progress progress) throws IOException {
        long[] times = containerTimes(frames);
        ClipCodec codec = java.util.Objects.requireNonNull(encoding.codec().clips());
        EncoderSettings settings = EncoderSettings.of(codec, size, frameRate())
                .quality(encoding.quality())
                .keyFrameDistance(encoding.keyFrameDistance())
                .timeBase(source.timeBaseNumerator(), source.timeBaseDenominator());
        try (ClipEncoder encoder = new ClipEncoder(file, settings)) {
            source.read(transform, IntStream.range(0, frames).toArray(), (frame, pixels, offset) -> {
                samples.keep(frame, pixels, offset);
                encoder.write(times[frame], pixels, offset, Layout.TCHW);
                progress.frame();
            });
            encoder.finish();
        }
        try (Blob blob = BlobStores.of(file.toUri()).open(file.toUri())) {
            ClipIndex found = new ClipIndexer().index(blob);
            PacketTable packets = found.packets();
            return index(
                    blob,
                    found.source().container(),
                    found.format(),
                    frames,
                    IntStream.range(0, packets.count()).mapToLong(packets::pos).toArray(),
                    IntStream.range(0, packets.count()).map(packets::size).toArray(),
                    IntStream.range(0, packets.count()).map(packets::flags).toArray());
        }
    }

    private ClipIndex raw(int frames, Progress progress) throws IOException {
        long[] positions;
        try (ArrowFramesWriter writer = new ArrowFramesWriter(file, size)) {
            source.read(transform, IntStream.range(0, frames).toArray(), (frame, pixels, offset) -> {
                samples.keep(frame, pixels, offset);
                writer.write(source.pts(frame), pixels, offset);
                progress.frame();
            });
            positions = writer.finish();
        }
        StreamFormat format = new StreamFormat(
                "rawvideo",
                RAW_TAG,
                CodecConfig.NONE,
                size.width(),
                size.height(),
                "rgb24",
                UNKNOWN,
                UNKNOWN,
                24,
                2,
                0,
                2,
                2,
                1,
                1,
                1,
                0);
        int[] sizes = new int[frames];
        Arrays.fill(sizes, transform.bytes());
        int[] flags = new int[frames];
        Arrays.fill(flags, PacketTable.KEY);
        try (Blob blob = BlobStores.of(file.toUri()).open(file.toUri())) {
            return index(blob, "arrow", format, frames, positions, sizes, flags);
        }
    }

    /** Packet k is picture k, for no encoder of ours reorders. */
    private ClipIndex index(
            Blob clip, String container, StreamFormat format, int frames, long[] positions, int[] sizes, int[] flags) {
        PacketTable.Builder packets = new PacketTable.Builder();
        for (int i = 0; i < positions.length; i++) {
            long pts = source.pts(Math.min(i, source.frames() - 1));
            long end = i + 1 < source.frames() ? source.pts(i + 1) : source.endTicks();
            packets.add(pts, pts, positions[i], sizes[i], end - pts, flags[i]);
        }
        ClipIndex.Source of = new ClipIndex.Source(
                URI.create(String.valueOf(file.getFileName())),
                "",
                clip.size(),
                0,
                container,
                ClipIndex.Access.RANGES,
                "written by penstock",
                source.timeBaseNumerator(),
                source.timeBaseDenominator(),
                0,
                false,
                frames);
        return new ClipIndex(of, format, packets.build(), List.of());
    }

    /** The source's times, shifted to 0 where they are negative, one tick apart where they are equal. */
    private long[] containerTimes(int frames) {
        long[] times = new long[frames];
        long shift = Math.max(0, -source.pts(0));
        for (int i = 0; i < frames; i++) {
            long time = source.pts(i) + shift;
            times[i] = i > 0 && time <= times[i - 1] ? times[i - 1] + 1 : time;
        }
        return times;
    }

    /** What the encoder is told; the times are the pts. */
    private int frameRate() {
        double seconds = (double) (source.endTicks() - source.pts(0))
                * source.timeBaseNumerator()
                / source.timeBaseDenominator();
        double rate = seconds > 0 ? source.frames() / seconds : 30;
        return (int) Math.max(1, Math.min(MOST_FRAME_RATE, Math.round(rate)));
    }
}
