package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.spi.Blob;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Indexes of clips that exist only as tables of times: packets of 1000 bytes, one behind the other. */
final class SyntheticClip {
    static final int PACKET_BYTES = 1000;

    private SyntheticClip() {}

    /** Frames at these milliseconds, a key frame at every {@code gop}-th. */
    static CameraClip at(int gop, int... milliseconds) {
        return range(null, null, gop, milliseconds);
    }

    /** A range of such a clip. */
    static CameraClip range(@Nullable Double from, @Nullable Double to, int gop, int... milliseconds) {
        PacketTable.Builder packets = new PacketTable.Builder();
        for (int i = 0; i < milliseconds.length; i++) {
            long duration = i + 1 < milliseconds.length ? milliseconds[i + 1] - milliseconds[i] : 33;
            packets.add(
                    milliseconds[i],
                    milliseconds[i],
                    (long) i * PACKET_BYTES,
                    PACKET_BYTES,
                    duration,
                    i % gop == 0 ? PacketTable.KEY : 0);
        }
        URI uri = URI.create("file:///synthetic.mp4");
        long size = (long) milliseconds.length * PACKET_BYTES;
        ClipIndex.Source source = new ClipIndex.Source(
                uri, "1", size, 0, "mov", ClipIndex.Access.RANGES, "test", 1, 1000, 0, false, milliseconds.length);
        StreamFormat format =
                new StreamFormat("h264", 0, CodecConfig.NONE, 64, 48, "yuv420p", 100, 30, 0, 0, 2, 2, 2, 1, 1, 1, 0);
        ClipIndex index = new ClipIndex(source, format, packets.build(), List.of());
        return new CameraClip(new Clip(uri, from, to, null), new ClipFile(new NoBytes(uri, size), index, 0));
    }

    /** {@code count} times, {@code step} milliseconds apart from {@code start}. */
    static int[] times(int start, int step, int count) {
        int[] times = new int[count];
        for (int i = 0; i < count; i++) {
            times[i] = start + i * step;
        }
        return times;
    }

    /** A blob that is never read. */
    private record NoBytes(URI uri, long size) implements Blob {
        @Override
        public String identity() {
            return "1";
        }

        @Override
        public void read(long offset, ByteBuffer target) {
            throw new AssertionError("a table of times has no bytes");
        }
    }
}
