package dev.penstock.decode.clip;

import java.net.URI;
import java.util.List;

/** Indexes made by hand. */
final class TestIndexes {
    static final StreamFormat H264 = new StreamFormat(
            "h264", 0, CodecConfig.of(new byte[] {1, 2, 3}), 320, 180, "yuv420p", 100, 31, 0, 1, 1, 1, 1, 1, 1, 1, 0);

    private TestIndexes() {}

    static ClipIndex of(PacketTable.Builder rows) {
        return of(rows, ClipIndex.Access.RANGES, H264);
    }

    static ClipIndex of(PacketTable.Builder rows, ClipIndex.Access access, StreamFormat format) {
        ClipIndex.Source source = new ClipIndex.Source(
                URI.create("memory:/clip.mp4"),
                "identity",
                1_000_000,
                2,
                "mov",
                access,
                "a test",
                1,
                30,
                270,
                true,
                rows.count());
        return new ClipIndex(source, format, rows.build(), List.of());
    }

    /** Groups of {@code gop} packets without reordering, 100 bytes each, 1 tick apart, every packet 1,000 bytes on. */
    static ClipIndex plain(int frames, int gop) {
        PacketTable.Builder rows = new PacketTable.Builder();
        for (int i = 0; i < frames; i++) {
            rows.add(i, i, 5_000 + i * 1_000L, 100, 1, i % gop == 0 ? PacketTable.KEY : 0);
        }
        return of(rows);
    }

    /** Decode order I0 P4 B2 b1 b3 | I8 B6 b5 b7 P12 ...: open groups of eight with disposable b-frames. */
    static ClipIndex openGroups() {
        PacketTable.Builder rows = new PacketTable.Builder();
        int[] pts = {0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11, 16, 14, 13, 15};
        for (int i = 0; i < pts.length; i++) {
            boolean key = pts[i] % 8 == 0;
            boolean disposable = pts[i] % 2 == 1;
            rows.add(
                    pts[i],
                    i - 2,
                    100L * i,
                    100,
                    1,
                    (key ? PacketTable.KEY : 0) | (disposable ? PacketTable.DISPOSABLE : 0));
        }
        return of(rows);
    }
}
