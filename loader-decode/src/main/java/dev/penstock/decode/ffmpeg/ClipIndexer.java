package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.IndexCache;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds clip indexes. Thread-safe; each call works on its caller's thread.
 *
 * <p>MP4 and MOV: only the headers are read, plus the first key frame, which is decoded once for the properties of its
 * picture. Other containers are read whole, and each packet is looked for in the file as it stands, so that windows can
 * be read by ranges later; where packets are not stored whole (MPEG-TS, lacing), windows demux from memory. A table
 * that does not say by itself which packets yield which frames (no presentation times, fields, leading pictures of the
 * first group) is settled by decoding what is in doubt. docs/decode.md has the list.
 */
public final class ClipIndexer {
    private static final Logger LOG = LoggerFactory.getLogger(ClipIndexer.class);

    private static final int HEAD_BYTES = 64;
    private static final int HEADER_PIECE = 64 << 10;

    private final DecodeLimits limits;
    private final @Nullable IndexCache cache;

    /** An indexer with {@link DecodeLimits#DEFAULT} and no cache. */
    public ClipIndexer() {
        this(DecodeLimits.DEFAULT, null);
    }

    /** An indexer with these limits that asks the cache first. */
    public ClipIndexer(DecodeLimits limits, @Nullable IndexCache cache) {
        this.limits = limits;
        this.cache = cache;
    }

    /** The index of the container's best video stream. */
    public ClipIndex index(Blob blob) throws IOException {
        return index(blob, IndexCache.BEST_STREAM);
    }

    /**
     * The index of one stream.
     *
     * @param stream the stream's number in the container, or {@link IndexCache#BEST_STREAM}
     * @throws ClipException where the blob is empty, no media, without that video stream, damaged or past a limit
     * @throws IOException where the blob cannot be read
     */
    public ClipIndex index(Blob blob, int stream) throws IOException {
        return cache == null ? build(blob, stream) : cache.get(blob, stream, () -> build(blob, stream));
    }

    private ClipIndex build(Blob blob, int stream) throws IOException {
        FfmpegLibrary.load();
        FfmpegLog.enter(blob.uri().toString());
        try {
            return read(blob, stream);
        } finally {
            FfmpegLog.leave();
        }
    }

    private ClipIndex read(Blob blob, int stream) throws IOException {
        if (blob.size() == 0) {
            throw new ClipException(Kind.EMPTY, blob.uri(), "it has no bytes; check how it was written");
        }
        ClipIndex index = Verification.settle(draft(blob, stream), blob, limits);
        if (index.truncated()) {
            LOG.warn(
                    "{} ends early: its header lists {} packets, {} are there",
                    blob.uri(),
                    index.source().declaredPackets(),
                    index.packets().count());
        }
        return index;
    }

    private IndexDraft draft(Blob blob, int stream) throws IOException {
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(blob.size(), HEAD_BYTES));
        BlobSource start = new BlobSource(blob, HEADER_PIECE); // an MP4's header often lies in this first piece
        boolean mp4 = false;
        try {
            start.readFully(0, head);
            head.flip();
            mp4 = Mp4HeaderSource.looksLikeMp4(head);
            if (mp4) {
                return mp4(blob, start, stream);
            }
        } finally {
            if (!mp4) {
                start.close();
            }
        }
        String still = StillPicture.codecOf(head);
        return still != null
                ? StillPicture.draft(blob, still, limits)
                : PacketScan.scan(blob, new BlobSource(blob, 1 << 20), stream, false, limits);
    }

    /** Closes {@code start}. */
    private IndexDraft mp4(Blob blob, BlobSource start, int stream) throws IOException {
        Mp4HeaderSource headers = new Mp4HeaderSource(start);
        if (!headers.hasMoov()) {
            headers.close();
            throw new ClipException(
                    headers.hasMdat() ? Kind.TRUNCATED : Kind.NOT_MEDIA,
                    blob.uri(),
                    "it begins like an MP4 file but has no moov box, without which no packet can be found;"
                            + " it was cut, or its writer never finished it");
        }
        IndexDraft draft = PacketScan.scan(blob, headers, stream, true, limits);
        if (draft.needsPayload()) {
            LOG.debug("{}: reading the payload too: {}", blob.uri(), draft.payloadReason);
            return PacketScan.scan(blob, new BlobSource(blob, 1 << 20), stream, false, limits);
        }
        return draft;
    }
}
