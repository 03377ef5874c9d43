package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.av_image_copy_to_buffer;
import static org.bytedeco.ffmpeg.global.avutil.av_image_get_buffer_size;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.MissingFramesException;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** Decodes frames and hashes them in their native pixel format, planes tightly packed. */
final class Frames {
    private Frames() {}

    /** MD5 of each wanted frame; null where it is missing. */
    static @Nullable String[] hashes(FrameDecoder decoder, ClipIndex index, Blob blob, WindowPlan plan, int... wanted)
            throws IOException {
        @Nullable String[] hashes = new String[wanted.length];
        plan.planFrom(
                index,
                wanted,
                0,
                wanted.length,
                plan.ending() == WindowPlan.Ending.CONTINUE ? decoder.resumePacket(index) : -1);
        try {
            decoder.decode(index, plan, read(blob, plan), blob, (ordinal, frame) -> hashes[ordinal] = md5(frame));
        } catch (MissingFramesException e) {
            for (int ordinal : e.ordinals()) {
                if (hashes[ordinal] != null) {
                    throw new AssertionError("frame " + ordinal + " was delivered and called missing", e);
                }
            }
        }
        return hashes;
    }

    /** Every frame, decoded from the first packet to the last with nothing left out. */
    static @Nullable String[] sequential(ClipIndex index, Blob blob) throws IOException {
        try (FrameDecoder decoder = new FrameDecoder()) {
            int[] all = IntStream.range(0, index.frameCount()).toArray();
            return hashes(decoder, index, blob, new WindowPlan().dropping(false), all);
        }
    }

    static ByteBuffer read(Blob blob, WindowPlan plan) throws IOException {
        return plan.read(blob, ByteBuffer.allocateDirect((int) plan.byteCount()));
    }

    static String md5(AVFrame frame) {
        int size = av_image_get_buffer_size(frame.format(), frame.width(), frame.height(), 1);
        try (BytePointer packed = new BytePointer((long) size)) {
            av_image_copy_to_buffer(
                    packed, size, frame.data(), frame.linesize(), frame.format(), frame.width(), frame.height(), 1);
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(packed.asByteBuffer());
            return HexFormat.of().formatHex(md5.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** The same clip, whose packets must be demuxed from the whole blob. */
    static ClipIndex demuxed(ClipIndex index) {
        ClipIndex.Source s = index.source();
        return new ClipIndex(
                new ClipIndex.Source(
                        s.uri(),
                        s.identity(),
                        s.blobSize(),
                        s.stream(),
                        s.container(),
                        ClipIndex.Access.DEMUX,
                        "forced by a test",
                        s.timeBaseNumerator(),
                        s.timeBaseDenominator(),
                        s.rotation(),
                        s.mirrored(),
                        s.declaredPackets()),
                index.format(),
                index.packets(),
                index.formatChanges());
    }
}
