package dev.penstock.decode.ffmpeg;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * An MP4 or MOV blob whose {@code mdat} payloads read as zeros, so that a demuxer lists all packets while only the
 * headers cross the network. The demuxer's packet table does not depend on the payload as long as no parser looks at
 * it. Fragmented files work too: every {@code moof} is read.
 */
final class Mp4HeaderSource implements ByteSource {
    private static final int LARGEST_PREFETCH = 256 << 20;
    private static final int MOST_BOXES = 1 << 20;
    private static final Set<String> FIRST_BOXES =
            Set.of("ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "sidx", "moof", "uuid");
    private static final byte[] ZEROS = new byte[8192];

    private final BlobSource blob;
    /** Start and end of each payload, ascending. */
    private long[] payloads = new long[8];

    private int payloadCount;
    private boolean moov;
    private boolean mdat;

    /** @param blob closed with this, and when this can't be made */
    Mp4HeaderSource(BlobSource blob) throws IOException {
        this.blob = blob;
        try {
            walk();
        } catch (IOException | RuntimeException e) {
            this.blob.close();
            throw e;
        }
    }

    /** Whether these first bytes of a blob look like an MP4 or MOV file. */
    static boolean looksLikeMp4(ByteBuffer head) {
        return head.remaining() >= 8 && FIRST_BOXES.contains(type(head, 4));
    }

    private static String type(ByteBuffer bytes, int at) {
        byte[] four = new byte[4];
        bytes.get(bytes.position() + at, four);
        return new String(four, StandardCharsets.ISO_8859_1);
    }

    /** Whether the blob has a {@code moov} box, without which no packet can be found. */
    boolean hasMoov() {
        return moov;
    }

    /** Whether the blob has payload at all. */
    boolean hasMdat() {
        return mdat;
    }

    private void walk() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(16);
        long pos = 0;
        for (int boxes = 0; pos + 8 <= size() && boxes < MOST_BOXES; boxes++) {
            header.clear().limit((int) Math.min(16, size() - pos));
            if (!blob.readFully(pos, header)) {
                return;
            }
            header.flip();
            long length = header.getInt(0) & 0xFFFFFFFFL;
            int headerBytes = 8;
            if (length == 1 && header.remaining() == 16) {
                length = header.getLong(8);
                headerBytes = 16;
            } else if (length == 0) {
                length = size() - pos;
            }
            if (length < headerBytes) {
                return;
            }
            note(type(header, 4), pos, headerBytes, length);
            pos = length > size() - pos ? size() : pos + length;
        }
    }

    private void note(String type, long pos, int headerBytes, long length) throws IOException {
        if (type.equals("mdat")) {
            mdat = true;
            addPayload(pos + headerBytes, Math.min(size(), pos + length));
        } else if (type.equals("moov") || type.equals("moof")) {
            moov |= type.equals("moov");
            blob.prefetch(pos, (int) Math.min(length, LARGEST_PREFETCH));
        }
    }

    private void addPayload(long start, long end) {
        if (payloads.length < 2 * (payloadCount + 1)) {
            payloads = Arrays.copyOf(payloads, payloads.length * 2);
        }
        payloads[2 * payloadCount] = start;
        payloads[2 * payloadCount + 1] = end;
        payloadCount++;
    }

    @Override
    public long size() {
        return blob.size();
    }

    long bytesRead() {
        return blob.bytesRead();
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
        int payload = payloadAtOrAfter(offset);
        if (payload < payloadCount && payloads[2 * payload] <= offset) {
            int n = (int) Math.min(target.remaining(), payloads[2 * payload + 1] - offset);
            for (int left = n; left > 0; left -= Math.min(left, ZEROS.length)) {
                target.put(ZEROS, 0, Math.min(left, ZEROS.length));
            }
            return n;
        }
        long end = payload < payloadCount ? payloads[2 * payload] : size();
        if (offset >= end) {
            return -1;
        }
        int limit = target.limit();
        target.limit((int) Math.min(limit, target.position() + (end - offset)));
        int n = blob.read(offset, target);
        target.limit(limit);
        return n;
    }

    /** The first payload that ends after the offset. */
    private int payloadAtOrAfter(long offset) {
        int low = 0;
        int high = payloadCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (payloads[2 * middle + 1] <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public void close() {
        blob.close();
    }
}
