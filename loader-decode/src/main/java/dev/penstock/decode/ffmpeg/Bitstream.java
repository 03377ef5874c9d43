package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.StreamFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads the few header bits of a packet that tell what depends on it. Stateless but for the stream's framing; one per
 * warm decoder, used by its thread. Never throws on damaged bytes: what cannot be read counts as needed.
 *
 * <p>Sources: ITU-T H.264 7.3.1 and 7.4.1 (nal_ref_idc), ITU-T H.265 7.4.2.2 (sub-layer non-reference pictures),
 * ISO/IEC 14496-15 5.3.3 and 8.3.3 (avcC, hvcC), RFC 6386 9.1 (VP8), VP9 bitstream specification 6.2 and annex B.
 */
final class Bitstream {
    /** Nothing else depends on the packet. */
    static final int DISPOSABLE = 1;
    /** The packet resets the decoder: nothing before it is needed, whatever was decoded last. */
    static final int RESET = 2;
    /** The packet carries parameter sets. */
    static final int PARAMETERS = 4;
    /** A decoder can start here. */
    static final int ENTRY = 8;
    /** The packet yields no picture. */
    static final int HIDDEN = 16;

    private enum Codec {
        H264,
        HEVC,
        VP8,
        VP9,
        MPEG4,
        INTRA,
        OTHER
    }

    private final Codec codec;
    /** Bytes of a NAL unit's length field; 0 for start codes. */
    private final int lengthBytes;

    private final int highestTemporalId;

    Bitstream(StreamFormat format) {
        codec = switch (format.codec()) {
            case "h264" -> Codec.H264;
            case "hevc" -> Codec.HEVC;
            case "vp8" -> Codec.VP8;
            case "vp9" -> Codec.VP9;
            case "mpeg4" -> Codec.MPEG4;
            case "mjpeg", "prores", "png", "dnxhd", "ffv1", "rawvideo", "jpeg2000", "webp" -> Codec.INTRA;
            default -> Codec.OTHER;
        };
        lengthBytes = lengthBytes(codec, format.extradata());
        highestTemporalId = codec == Codec.HEVC ? highestTemporalId(format.extradata(), lengthBytes) : 0;
    }

    private static int lengthBytes(Codec codec, CodecConfig config) {
        if (codec == Codec.H264 && config.length() >= 7 && config.at(0) == 1) {
            return (config.at(4) & 3) + 1;
        }
        boolean hvcc = config.length() >= 23 && (config.at(0) != 0 || config.at(1) != 0 || config.at(2) > 1);
        return codec == Codec.HEVC && hvcc ? (config.at(21) & 3) + 1 : 0;
    }

    /** sps_max_sub_layers_minus1 as the hvcC box repeats it; unknown counts as the most, so that nothing is dropped. */
    private static int highestTemporalId(CodecConfig config, int lengthBytes) {
        int layers = lengthBytes > 0 ? config.at(21) >> 3 & 7 : 0;
        return layers == 0 ? Integer.MAX_VALUE : layers - 1;
    }

    /** Whether packets say what depends on them, so that reading them is worth it. */
    boolean tellsDisposable() {
        return codec == Codec.H264 || codec == Codec.HEVC;
    }

    /** Whether {@link #inspect} can tell {@link #ENTRY}. */
    boolean tellsEntry() {
        return codec != Codec.OTHER;
    }

    /** Whether every packet of such a stream can be decoded by itself. */
    boolean intraOnly() {
        return codec == Codec.INTRA;
    }

    /** The packet's properties: a sum of this class's constants. */
    int inspect(ByteBuffer bytes, int offset, int size) {
        return switch (codec) {
            case H264, HEVC -> lengthBytes > 0 ? lengthPrefixed(bytes, offset, size) : startCodes(bytes, offset, size);
            case VP8 -> vp8(bytes, offset, size);
            case VP9 -> vp9(bytes, offset, size);
            case MPEG4 -> mpeg4(bytes, offset, size);
            case INTRA -> ENTRY | RESET;
            case OTHER -> 0;
        };
    }

    private int lengthPrefixed(ByteBuffer bytes, int offset, int size) {
        int flags = DISPOSABLE;
        int slices = 0;
        int at = offset;
        int end = offset + size;
        while (at + lengthBytes < end) {
            int length = 0;
            for (int i = 0; i < lengthBytes; i++) {
                length = (length << 8) | (bytes.get(at + i) & 0xFF);
            }
            at += lengthBytes;
            if (length <= 0 || length > end - at) {
                return flags & PARAMETERS;
            }
            int nal = nal(bytes, at, length);
            slices += nal & SLICE;
            flags = merge(flags, nal);
            at += length;
        }
        return slices == 0 ? flags & PARAMETERS : flags;
    }

    private int startCodes(ByteBuffer bytes, int offset, int size) {
        int flags = DISPOSABLE;
        int slices = 0;
        int end = offset + size;
        int at = nextStart(bytes, offset, end);
        while (at < end) {
            int next = nextStart(bytes, at, end);
            int nal = nal(bytes, at, (next < end ? next - 3 : end) - at);
            slices += nal & SLICE;
            flags = merge(flags, nal);
            at = next;
        }
        return slices == 0 ? flags & PARAMETERS : flags;
    }

    /** The byte after the next 00 00 01, or the end. */
    private static int nextStart(ByteBuffer bytes, int from, int end) {
        for (int i = from; i + 3 < end; i++) {
            if (bytes.get(i + 2) > 1) {
                i += 2;
            } else if (bytes.get(i) == 0 && bytes.get(i + 1) == 0 && bytes.get(i + 2) == 1) {
                return i + 3;
            }
        }
        return end;
    }

    private static final int SLICE = 1 << 16;

    /** A packet is disposable when all its slices are; any other property holds when one unit has it. */
    private static int merge(int flags, int nal) {
        int disposable = (nal & SLICE) == 0 ? flags & DISPOSABLE : flags & nal & DISPOSABLE;
        return ((flags | nal) & ~DISPOSABLE & ~SLICE) | disposable;
    }

    private int nal(ByteBuffer bytes, int at, int length) {
        return codec == Codec.H264 ? h264(bytes, at, length) : hevc(bytes, at, length);
    }

    private static int h264(ByteBuffer bytes, int at, int length) {
        int header = bytes.get(at);
        int type = header & 31;
        if (type == 7 || type == 8) {
            return PARAMETERS;
        }
        if (type == 6) {
            return recoveryPoint(bytes, at + 1, at + length) ? ENTRY : 0;
        }
        if (type < 1 || type > 5) {
            return 0;
        }
        int slice = SLICE | ((header >> 5 & 3) == 0 ? DISPOSABLE : 0);
        return type == 5 ? slice | RESET | ENTRY : slice;
    }

    /** Whether one of an SEI unit's messages is a recovery point (payload type 6). */
    private static boolean recoveryPoint(ByteBuffer bytes, int from, int end) {
        int at = from;
        while (at + 2 < end) {
            int type = 0;
            int size = 0;
            while (at < end && bytes.get(at) == -1) {
                type += 255;
                at++;
            }
            type += at < end ? bytes.get(at++) & 0xFF : 0;
            while (at < end && bytes.get(at) == -1) {
                size += 255;
                at++;
            }
            size += at < end ? bytes.get(at++) & 0xFF : 0;
            if (type == 6) {
                return true;
            }
            at += size;
        }
        return false;
    }

    private int hevc(ByteBuffer bytes, int at, int length) {
        if (length < 2) {
            return 0;
        }
        int type = bytes.get(at) >> 1 & 63;
        if (type >= 32 && type <= 34) {
            return PARAMETERS;
        }
        if (type > 31) {
            return 0;
        }
        int temporalId = (bytes.get(at + 1) & 7) - 1;
        boolean unreferenced = type < 16 && (type & 1) == 0 && temporalId >= highestTemporalId;
        int slice = SLICE | (unreferenced ? DISPOSABLE : 0);
        if (type == 19 || type == 20) {
            return slice | RESET | ENTRY;
        }
        return type >= 16 && type <= 23 ? slice | ENTRY : slice;
    }

    private static int vp8(ByteBuffer bytes, int offset, int size) {
        if (size < 3) {
            return HIDDEN;
        }
        int first = bytes.get(offset);
        return ((first & 1) == 0 ? ENTRY | RESET : 0) | ((first & 0x10) == 0 ? HIDDEN : 0);
    }

    private static int vp9(ByteBuffer bytes, int offset, int size) {
        if (size < 1) {
            return HIDDEN;
        }
        int last = bytes.get(offset + size - 1) & 0xFF;
        boolean superframe = (last & 0xE0) == 0xC0;
        int frame = vp9Frame(bytes.get(offset) & 0xFF);
        return superframe ? frame & ~HIDDEN : frame;
    }

    private static int vp9Frame(int first) {
        int profile = (first >> 5 & 1) | (first >> 3 & 2);
        int shift = profile == 3 ? 2 : 3;
        if ((first >> shift & 1) != 0) {
            return 0;
        }
        boolean key = (first >> (shift - 1) & 1) == 0;
        boolean shown = (first >> (shift - 2) & 1) != 0;
        return (key ? ENTRY | RESET : 0) | (shown ? 0 : HIDDEN);
    }

    private static int mpeg4(ByteBuffer bytes, int offset, int size) {
        for (int i = offset; i + 4 < offset + size; i++) {
            if (bytes.get(i) == 0
                    && bytes.get(i + 1) == 0
                    && bytes.get(i + 2) == 1
                    && (bytes.get(i + 3) & 0xFF) == 0xB6) {
                return (bytes.get(i + 4) & 0xC0) == 0 ? ENTRY | RESET : 0;
            }
        }
        return 0;
    }

    /** Whether an H.264 stream's SPS allows fields: frame_mbs_only_flag is 0. False where no SPS is found. */
    boolean mayBeInterlaced(CodecConfig config) {
        if (codec != Codec.H264 || config.length() < 8) {
            return false;
        }
        byte[] bytes = config.toByteArray();
        int at = lengthBytes > 0 ? 8 : 0;
        if (lengthBytes == 0) {
            ByteBuffer wrapped = ByteBuffer.wrap(bytes);
            at = nextStart(wrapped, 0, bytes.length);
            while (at < bytes.length && (bytes[at] & 31) != 7) {
                at = nextStart(wrapped, at, bytes.length);
            }
        }
        return at < bytes.length
                && (bytes[at] & 31) == 7
                && H264Sps.mayBeInterlaced(Arrays.copyOfRange(bytes, at, bytes.length));
    }
}
