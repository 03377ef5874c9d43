package dev.penstock.arrow.artifact;

import java.util.ArrayList;
import java.util.List;

/**
 * How an artifact's clips are written. Immutable plain data, stored in the manifest.
 *
 * @param codec codec
 * @param quality 1 (smallest) to 100 (best); without effect on {@link ArtifactCodec#RAW}
 * @param keyFrameDistance a key frame every so many frames; without effect where every frame is one
 */
public record ArtifactEncoding(ArtifactCodec codec, int quality, int keyFrameDistance) {

    /** H.264, quality 75, a key frame every 8 frames. */
    public static final ArtifactEncoding DEFAULT = new ArtifactEncoding(ArtifactCodec.H264, 75, 8);

    public ArtifactEncoding {
        List<String> wrong = wrong(codec, quality, keyFrameDistance);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("artifact encoding: " + String.join("; ", wrong));
        }
    }

    static List<String> wrong(ArtifactCodec codec, int quality, int keyFrameDistance) {
        List<String> wrong = new ArrayList<>();
        if (codec == ArtifactCodec.HEVC) {
            wrong.add(
                    "codec was HEVC, for which FFmpeg's LGPL build has no encoder (libx265 is GPL); choose H264 or AV1");
        }
        if (quality < 1 || quality > 100) {
            wrong.add("quality was " + quality + ", must be 1 to 100");
        }
        if (keyFrameDistance < 1) {
            wrong.add("key frame distance was " + keyFrameDistance + ", must be at least 1");
        }
        return wrong;
    }

    /** For people. */
    @Override
    public String toString() {
        return codec == ArtifactCodec.RAW
                ? "RAW"
                : codec + ", quality " + quality
                        + (codec == ArtifactCodec.MJPEG ? "" : ", a key frame every " + keyFrameDistance);
    }
}
