package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * All packets of a clip whose container does not store them whole, demuxed once into native memory. Owned by one
 * thread; {@link #close} frees the memory.
 */
final class DemuxedClip extends PacketBytes implements AutoCloseable {
    private final ClipIndex clip;
    private final BytePointer memory;
    private final int[] offsets;
    private final long bytes;

    private DemuxedClip(ClipIndex clip, BytePointer memory, int[] offsets, long bytes) {
        this.clip = clip;
        this.memory = memory;
        this.offsets = offsets;
        this.bytes = bytes;
        memory(memory.asByteBuffer(), memory.address());
    }

    /** Demuxes the whole container; fails where its packets are not those of the index. */
    static DemuxedClip of(ClipIndex clip, ByteSource container, long maxBytes) throws IOException {
        int n = clip.packets().count();
        int[] offsets = new int[n];
        long total = 0;
        for (int i = 0; i < n; i++) {
            offsets[i] = (int) Math.min(total, Integer.MAX_VALUE);
            total += clip.packets().size(i);
        }
        if (total > maxBytes) {
            container.close();
            throw new ClipException(
                    Kind.LIMIT,
                    clip.uri(),
                    "its packets have " + total + " bytes, and must be demuxed from memory; the limit is " + maxBytes);
        }
        BytePointer memory = new BytePointer(Math.max(1, total));
        try (Demuxer demuxer = Demuxer.open(clip.uri(), container, clip.source().stream(), false)) {
            copy(demuxer, clip, memory, offsets);
        } catch (IOException | RuntimeException e) {
            memory.close();
            throw e;
        }
        return new DemuxedClip(clip, memory, offsets, total);
    }

    private static void copy(Demuxer demuxer, ClipIndex clip, BytePointer memory, int[] offsets) throws IOException {
        int i = 0;
        for (AVPacket packet = demuxer.next(); packet != null && i < offsets.length; packet = demuxer.next()) {
            if (packet.size() == 0) {
                continue;
            }
            if (packet.size() != clip.packets().size(i)) {
                throw changed(
                        clip,
                        "packet " + i + " has " + packet.size() + " bytes, the index says "
                                + clip.packets().size(i));
            }
            Pointer.memcpy(new BytePointer(memory).position(offsets[i]), packet.data(), packet.size());
            i++;
        }
        if (i < offsets.length) {
            throw changed(clip, "it has " + i + " packets, the index says " + offsets.length);
        }
    }

    private static ClipException changed(ClipIndex clip, String why) {
        return new ClipException(Kind.CHANGED, clip.uri(), why + "; index it again");
    }

    @SuppressWarnings("ReferenceEquality") // an equal index made anew may be of another blob
    boolean isOf(ClipIndex index) {
        return clip == index;
    }

    long bytes() {
        return bytes;
    }

    @Override
    boolean seek(ClipIndex index, int packet) {
        at(offsets[packet]);
        return true;
    }

    /** The container's bytes from a window plan. */
    static ByteSource container(ByteBuffer bytes) {
        return ByteSource.of(bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
