package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_NEW_EXTRADATA;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_DISCARD;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_DISPOSABLE;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_KEY;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_side_data_get;
import static org.bytedeco.ffmpeg.global.avformat.avformat_index_get_entries_count;
import static org.bytedeco.ffmpeg.global.avutil.AV_NOPTS_VALUE;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.Orientation;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.bytedeco.ffmpeg.avcodec.AVPacket;

/** One pass over a container's packets: the draft of an index. Used once, by one thread. */
final class PacketScan {
    private final Blob blob;
    private final Demuxer demuxer;
    private final boolean headersOnly;
    private final DecodeLimits limits;
    private final Bitstream bitstream;
    private final IndexDraft draft;
    private final PayloadFinder finder;
    /** Rows whose payload says that a decoder can start there. */
    private final BitSet entries = new BitSet();

    private CodecConfig config;
    private int pastTheEnd;
    private int keys;

    private PacketScan(Blob blob, ByteSource source, Demuxer demuxer, boolean headersOnly, DecodeLimits limits) {
        this.blob = blob;
        this.demuxer = demuxer;
        this.headersOnly = headersOnly;
        this.limits = limits;
        this.draft = new IndexDraft(blob, StreamFormats.of(demuxer.stream().codecpar()));
        this.config = draft.format.extradata();
        this.bitstream = new Bitstream(draft.format);
        this.finder = new PayloadFinder(source);
    }

    /** Scans the stream; closes the source. */
    static IndexDraft scan(Blob blob, ByteSource source, int stream, boolean headersOnly, DecodeLimits limits)
            throws IOException {
        try (Demuxer demuxer = Demuxer.open(blob.uri(), source, stream, headersOnly)) {
            PacketScan scan = new PacketScan(blob, source, demuxer, headersOnly, limits);
            try (PayloadFinder finder = scan.finder) {
                return scan.run(finder);
            }
        }
    }

    private IndexDraft run(PayloadFinder payloads) throws IOException {
        checkFormat();
        describe();
        for (AVPacket packet = demuxer.next(); packet != null; packet = demuxer.next()) {
            if (packet.size() > 0) {
                add(packet, payloads);
            }
        }
        int n = draft.rows.count();
        if (n == 0) {
            throw new ClipException(
                    pastTheEnd > 0 ? Kind.TRUNCATED : Kind.DAMAGED,
                    blob.uri(),
                    "stream " + draft.stream + " has no complete packet"
                            + (demuxer.damage() == null ? "" : " (" + demuxer.damage() + ")"));
        }
        draft.declaredPackets = n + pastTheEnd;
        if (demuxer.isMp4()) {
            draft.declaredPackets = Math.max(draft.declaredPackets, avformat_index_get_entries_count(demuxer.stream()));
        }
        settleKeys(n);
        settleTimes(n);
        return draft;
    }

    private void checkFormat() throws ClipException {
        var format = draft.format;
        if (format.codec().equals("none") || format.codec().equals("unknown_codec")) {
            throw new ClipException(
                    Kind.UNSUPPORTED, blob.uri(), "stream " + demuxer.streamIndex() + " has an unknown codec");
        }
        if ((long) format.width() * format.height() > limits.maxPixels()) {
            throw new ClipException(
                    Kind.LIMIT,
                    blob.uri(),
                    "its frames have " + format.width() + "x" + format.height() + " pixels; the limit is "
                            + limits.maxPixels() + " pixels");
        }
    }

    private void describe() {
        draft.stream = demuxer.streamIndex();
        draft.container = demuxer.container();
        draft.timeBaseNumerator = Math.max(1, demuxer.stream().time_base().num());
        draft.timeBaseDenominator = Math.max(1, demuxer.stream().time_base().den());
        draft.accessReason = demuxer.isMp4() ? "the sample table gives offsets" : "every packet was found in the file";
        int[] matrix = StreamFormats.displayMatrix(demuxer.stream().codecpar());
        if (matrix != null) {
            draft.orientation = Orientation.ofMatrix(matrix);
        }
    }

    private void add(AVPacket packet, PayloadFinder payloads) throws IOException {
        int row = draft.rows.count();
        if (row >= limits.maxPackets()) {
            throw limit(packet, "it has more packets than the limit of " + limits.maxPackets());
        }
        if (packet.size() > limits.maxPacketBytes()) {
            throw limit(
                    packet,
                    "packet " + row + " has " + packet.size() + " bytes; the limit is " + limits.maxPacketBytes());
        }
        if (demuxer.isMp4() && (packet.pos() < 0 || packet.pos() > blob.size() - packet.size())) {
            pastTheEnd++;
            return;
        }
        noteConfig(packet, row);
        int flags = flags(packet, row);
        keys += flags & PacketTable.KEY;
        draft.rows.add(
                time(packet.pts()),
                time(packet.dts()),
                position(packet, payloads),
                packet.size(),
                packet.duration(),
                flags);
    }

    private ClipException limit(AVPacket packet, String why) {
        return new ClipException(Kind.LIMIT, blob.uri(), -1, Double.NaN, packet.pos(), why, null);
    }

    private int flags(AVPacket packet, int row) {
        int f = packet.flags();
        int flags = ((f & AV_PKT_FLAG_KEY) != 0 || bitstream.intraOnly() ? PacketTable.KEY : 0)
                | ((f & AV_PKT_FLAG_DISCARD) != 0 ? PacketTable.DISCARD : 0)
                | ((f & AV_PKT_FLAG_DISPOSABLE) != 0 && bitstream.tellsDisposable() ? PacketTable.DISPOSABLE : 0);
        if (headersOnly) {
            return flags;
        }
        int seen = bitstream.inspect(bytes(packet), 0, packet.size());
        entries.set(row, (seen & Bitstream.ENTRY) != 0);
        flags &= ~PacketTable.DISPOSABLE;
        if ((seen & (Bitstream.DISPOSABLE | Bitstream.PARAMETERS)) == Bitstream.DISPOSABLE) {
            flags |= PacketTable.DISPOSABLE;
        }
        return (seen & Bitstream.HIDDEN) != 0 ? flags | PacketTable.HIDDEN : flags;
    }

    private static ByteBuffer bytes(AVPacket packet) {
        return packet.data().capacity(packet.size()).asByteBuffer();
    }

    /** Where the payload lies in the blob; the first packet that is not stored whole ends the hope for ranges. */
    private long position(AVPacket packet, PayloadFinder payloads) throws IOException {
        if (demuxer.isMp4() || draft.access == ClipIndex.Access.DEMUX) {
            return packet.pos();
        }
        long found = payloads.find(packet.pos(), bytes(packet));
        if (found < 0) {
            draft.access = ClipIndex.Access.DEMUX;
            draft.accessReason = "packet " + draft.rows.count() + " is not stored whole";
            return packet.pos();
        }
        return found;
    }

    private void noteConfig(AVPacket packet, int row) {
        if (packet.side_data_elems() == 0) {
            return;
        }
        var side = av_packet_side_data_get(packet.side_data(), packet.side_data_elems(), AV_PKT_DATA_NEW_EXTRADATA);
        if (side != null && side.size() > 0) {
            CodecConfig now = StreamFormats.config(side.data(), (int) side.size());
            if (!now.equals(config)) {
                config = now;
                draft.changes.add(new ClipIndex.FormatChange(row, now));
            }
        }
    }

    private static long time(long ticks) {
        return ticks == AV_NOPTS_VALUE ? PacketTable.NO_TIME : ticks;
    }

    /** A stream of dependent frames all flagged as keys (an MP4 without a sync table), or none: ask the payload. */
    private void settleKeys(int n) {
        boolean odd = keys == 0 || (keys == n && n > 1 && !bitstream.intraOnly());
        if (!odd) {
            return;
        }
        if (headersOnly) {
            draft.payloadReason = keys == 0 ? "no packet is flagged as key" : "every packet is flagged as key";
        } else if (bitstream.tellsEntry() && !entries.isEmpty()) {
            for (int i = 0; i < n; i++) {
                int flags = draft.rows.flags(i) & ~PacketTable.KEY;
                draft.rows.setFlags(i, entries.get(i) ? flags | PacketTable.KEY : flags);
            }
        }
    }

    private void settleTimes(int n) {
        boolean missing = false;
        for (int i = 0; i < n && !missing; i++) {
            missing = draft.rows.pts(i) == PacketTable.NO_TIME && (draft.rows.flags(i) & PacketTable.HIDDEN) == 0;
        }
        if (missing) {
            draft.decodeReason = "packets without a presentation time";
        } else if (bitstream.mayBeInterlaced(draft.format.extradata())) {
            draft.decodeReason = "its frames may be stored as two fields";
        }
    }
}
