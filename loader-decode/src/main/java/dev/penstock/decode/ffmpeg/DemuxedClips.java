package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;

/** The clips demuxed last, within 256 MiB or one clip, so that windows of one clip demux it once. One owner thread. */
final class DemuxedClips implements AutoCloseable {
    private static final long KEPT_BYTES = 256L << 20;

    private final DecodeLimits limits;
    private final ArrayDeque<DemuxedClip> clips = new ArrayDeque<>();
    private long bytes;

    DemuxedClips(DecodeLimits limits) {
        this.limits = limits;
    }

    DemuxedClip get(ClipIndex index, ByteBuffer container) throws IOException {
        for (Iterator<DemuxedClip> i = clips.iterator(); i.hasNext(); ) {
            DemuxedClip clip = i.next();
            if (clip.isOf(index)) {
                i.remove();
                clips.addFirst(clip);
                return clip;
            }
        }
        DemuxedClip clip = DemuxedClip.of(index, ByteSource.of(container), limits.maxWindowBytes());
        clips.addFirst(clip);
        bytes += clip.bytes();
        while (bytes > KEPT_BYTES && clips.size() > 1) {
            DemuxedClip oldest = clips.removeLast();
            bytes -= oldest.bytes();
            oldest.close();
        }
        return clip;
    }

    @Override
    public void close() {
        clips.forEach(DemuxedClip::close);
        clips.clear();
    }
}
