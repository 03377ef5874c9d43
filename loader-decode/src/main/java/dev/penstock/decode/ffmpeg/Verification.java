package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes as much of a clip as its packet table leaves in doubt, and writes what came out into the draft: always the
 * first frame, for its pixel format and colours; the first group of pictures where some of its frames may not be
 * decodable; everything where the table has no presentation times, or two packets may make one frame.
 */
final class Verification {
    private static final Logger LOG = LoggerFactory.getLogger(Verification.class);
    /** Longest first group that is decoded to see which of its leading pictures come out. */
    private static final int LONGEST_HEAD = 1000;

    private static final int MOST_REORDERED = 16;

    private final IndexDraft draft;
    private final Blob blob;
    private final DecodeLimits limits;

    private Verification(IndexDraft draft, Blob blob, DecodeLimits limits) {
        this.draft = draft;
        this.blob = blob;
        this.limits = limits;
    }

    /** The finished index. */
    static ClipIndex settle(IndexDraft draft, Blob blob, DecodeLimits limits) throws IOException {
        try {
            return new Verification(draft, blob, limits).settle();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private ClipIndex settle() throws IOException {
        int head = headInDoubt();
        StreamFormat declared = draft.format;
        if (draft.needsDecoding()) {
            LOG.debug("{}: decoding all packets once: {}", blob.uri(), draft.decodeReason);
            draft.format = StreamFormats.withDelay(declared, MOST_REORDERED);
        }
        ClipIndex rough = draft.build();
        AVFrame frame = av_frame_alloc();
        try (CodecContext context = CodecContext.open(blob.uri(), rough.format(), limits)) {
            Outputs outputs = new Outputs(rough, context, frame);
            int last = draft.needsDecoding() ? draft.rows.count() - 1 : head;
            feed(rough, outputs, last);
            draft.format = outputs.format(declared);
            if (draft.needsDecoding()) {
                settleAll(outputs);
            } else if (head >= 0) {
                settleHead(outputs, head);
            }
        } finally {
            av_frame_free(frame);
        }
        ClipIndex index = draft.build();
        if (index.frameCount() == 0) {
            throw new ClipException(
                    Kind.DAMAGED, blob.uri(), "none of its " + draft.rows.count() + " packets yields a frame");
        }
        return index;
    }

    /** Last packet of the first group where some pictures at its beginning may not come out; -1 where all will. */
    private int headInDoubt() {
        PacketTable.Builder rows = draft.rows;
        int first = nextKey(0);
        int second = Math.min(nextKey(first + 1), LONGEST_HEAD);
        boolean doubt = first > 0;
        for (int i = first + 1; i < second && !doubt; i++) {
            doubt = isShown(i) && rows.pts(i) < rows.pts(first);
        }
        return doubt ? Math.max(second - 1, 0) : -1;
    }

    /** The first key from {@code from} on, or the number of packets where there is none. */
    private int nextKey(int from) {
        int i = Math.min(from, draft.rows.count());
        while (i < draft.rows.count() && (draft.rows.flags(i) & PacketTable.KEY) == 0) {
            i++;
        }
        return i;
    }

    private boolean isShown(int row) {
        return (draft.rows.flags(row) & (PacketTable.DISCARD | PacketTable.HIDDEN | PacketTable.PART)) == 0;
    }

    /** Sends packets 0 to {@code last}; where that is negative, from the first key to the first frame. */
    private void feed(ClipIndex rough, Outputs outputs, int last) throws IOException {
        boolean probeOnly = last < 0;
        int first = probeOnly ? Math.min(nextKey(0), draft.rows.count() - 1) : 0;
        int end = probeOnly ? Math.min(first + LONGEST_HEAD, draft.rows.count()) - 1 : last;
        if (draft.access == ClipIndex.Access.DEMUX) {
            try (DemuxedClip packets = DemuxedClip.of(rough, new BlobSource(blob, 1 << 20), limits.maxWindowBytes())) {
                outputs.decode(packets, first, end, probeOnly);
            }
        } else {
            try (BlobPackets packets = new BlobPackets(blob, probeOnly)) {
                outputs.decode(packets, first, end, probeOnly);
            }
        }
    }

    private void settleHead(Outputs outputs, int head) {
        int firstKey = nextKey(0);
        for (int i = 0; i <= head; i++) {
            boolean leading = i < firstKey || draft.rows.pts(i) < draft.rows.pts(firstKey);
            if (leading && isShown(i) && !outputs.yielded(i)) {
                draft.rows.setFlags(i, draft.rows.flags(i) | PacketTable.HIDDEN);
            }
        }
    }

    private void settleAll(Outputs outputs) {
        PacketTable.Builder rows = draft.rows;
        boolean timesMissing = false;
        boolean begun = false;
        for (int i = 0; i < rows.count(); i++) {
            boolean noTime = rows.pts(i) == PacketTable.NO_TIME;
            if (outputs.yielded(i)) {
                begun = true;
                timesMissing |= noTime;
                rows.setFlags(i, rows.flags(i) & ~PacketTable.HIDDEN);
            } else if (isShown(i) && (noTime || !outputs.failed(i))) {
                boolean secondField = begun && draft.format.codec().equals("h264") && !outputs.failed(i);
                rows.setFlags(i, rows.flags(i) | (secondField ? PacketTable.PART : PacketTable.HIDDEN));
                begun &= !secondField;
            }
        }
        if (timesMissing) {
            giveTimes(outputs);
        }
    }

    /** The k-th frame out gets the k-th decode time: the container counts frames, and only their order is mixed up. */
    private void giveTimes(Outputs outputs) {
        int n = outputs.count();
        long[] times = new long[n];
        for (int k = 0; k < n; k++) {
            long dts = draft.rows.dts(outputs.packet(k));
            times[k] = dts == PacketTable.NO_TIME ? outputs.packet(k) : dts;
        }
        Arrays.sort(times);
        for (int k = 0; k < n; k++) {
            draft.rows.setPts(outputs.packet(k), times[k]);
        }
    }
}
