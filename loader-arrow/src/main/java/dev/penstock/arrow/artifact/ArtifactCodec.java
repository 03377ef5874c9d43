package dev.penstock.arrow.artifact;

import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.view.Size;
import org.jspecify.annotations.Nullable;

/** What an artifact's clips are written in. */
public enum ArtifactCodec {
    /** openh264: the fastest of the small ones to decode. Even sides of at least 16. */
    H264(ClipCodec.H264, "mp4"),
    /** Refused: FFmpeg's LGPL build has no HEVC encoder. Named so that who asks for it is told. */
    HEVC(null, "mp4"),
    /** SVT-AV1: the smallest, slow to write. Sides of at least 64. */
    AV1(ClipCodec.AV1, "mp4"),
    /** libvpx. */
    VP9(ClipCodec.VP9, "mp4"),
    /** JPEG pictures: any frame decodes alone. */
    MJPEG(ClipCodec.MJPEG, "mov"),
    /** uint8 pixels as Arrow tensors: nothing to decode, no loss, large. */
    RAW(null, "frames.arrow");

    private final @Nullable ClipCodec clips;
    private final String extension;

    ArtifactCodec(@Nullable ClipCodec clips, String extension) {
        this.clips = clips;
        this.extension = extension;
    }

    /** The encoder; null where there is none. */
    @Nullable
    ClipCodec clips() {
        return clips;
    }

    String extension() {
        return extension;
    }

    /** Why pictures of this size can't be written, or null. */
    @Nullable
    String refuses(Size size) {
        int least = this == H264 ? 16 : this == AV1 ? 64 : 1;
        if (Math.min(size.width(), size.height()) < least) {
            return "size was " + size + ", " + this + " needs sides of at least " + least + "; choose VP9 or MJPEG";
        }
        if (this == H264 && (size.width() % 2 != 0 || size.height() % 2 != 0)) {
            return "size was " + size + ", H264 (openh264) needs even sides; choose another size, or VP9 or MJPEG";
        }
        return null;
    }
}
