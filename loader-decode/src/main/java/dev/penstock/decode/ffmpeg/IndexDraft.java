package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.Orientation;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.spi.Blob;
import java.util.ArrayList;
import java.util.List;

/** An index in the making: what one pass over the packets found, and what is still in doubt. One owner thread. */
final class IndexDraft {
    final Blob blob;
    final PacketTable.Builder rows = new PacketTable.Builder();
    final List<ClipIndex.FormatChange> changes = new ArrayList<>();
    StreamFormat format;
    int stream;
    String container = "";
    ClipIndex.Access access = ClipIndex.Access.RANGES;
    String accessReason = "";
    int timeBaseNumerator = 1;
    int timeBaseDenominator = 1;
    Orientation orientation = Orientation.NORMAL;
    int declaredPackets;
    /** Why the payload must be read, empty where the headers are enough. */
    String payloadReason = "";
    /** Why all packets must be decoded once, empty where the table is enough. */
    String decodeReason = "";

    IndexDraft(Blob blob, StreamFormat format) {
        this.blob = blob;
        this.format = format;
    }

    boolean needsPayload() {
        return !payloadReason.isEmpty();
    }

    boolean needsDecoding() {
        return !decodeReason.isEmpty();
    }

    /** The index as it stands. */
    ClipIndex build() {
        ClipIndex.Source source = new ClipIndex.Source(
                blob.uri(),
                blob.identity(),
                blob.size(),
                stream,
                container,
                access,
                accessReason,
                timeBaseNumerator,
                timeBaseDenominator,
                orientation.rotation(),
                orientation.mirrored(),
                Math.max(declaredPackets, rows.count()));
        return new ClipIndex(source, format, rows.build(), changes);
    }
}
