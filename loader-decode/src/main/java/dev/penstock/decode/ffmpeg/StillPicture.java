package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.spi.Blob;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** JPEG, PNG and WebP files as clips of one frame at time 0, on screen for one second. */
final class StillPicture {
    private static final int UNKNOWN = -99;

    private StillPicture() {}

    /** FFmpeg's codec for a picture file that begins with these bytes, or null. */
    static @Nullable String codecOf(ByteBuffer head) {
        int at = head.position();
        int n = head.remaining();
        if (n >= 3 && (head.get(at) & 0xFF) == 0xFF && (head.get(at + 1) & 0xFF) == 0xD8 && head.get(at + 2) == -1) {
            return "mjpeg";
        }
        if (n >= 8 && head.getLong(at) == 0x89504E470D0A1A0AL) {
            return "png";
        }
        if (n >= 12 && head.getInt(at) == 0x52494646 && head.getInt(at + 8) == 0x57454250) {
            return "webp";
        }
        return null;
    }

    static IndexDraft draft(Blob blob, String codec, DecodeLimits limits) throws ClipException {
        if (blob.size() > limits.maxPacketBytes()) {
            throw new ClipException(
                    Kind.LIMIT,
                    blob.uri(),
                    "the picture has " + blob.size() + " bytes; the limit is " + limits.maxPacketBytes());
        }
        StreamFormat format =
                new StreamFormat(codec, 0, CodecConfig.NONE, 0, 0, "", UNKNOWN, UNKNOWN, 0, 0, 2, 2, 2, 0, 1, 0, 0);
        IndexDraft draft = new IndexDraft(blob, format);
        draft.container = codec + " picture";
        draft.accessReason = "the file is the packet";
        draft.rows.add(0, 0, 0, (int) blob.size(), 1, PacketTable.KEY);
        return draft;
    }
}
