package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * JSON truth: an array of records, an object with lists of records and constants, JSON Lines, or gzip of one.
 *
 * <p>A plain file is read through once, in pieces, to learn each record's place; later only wanted records are read. What
 * has no places to read from (gzip, inline text) stays in memory.
 */
final class JsonTruthFormat implements TruthFormat {
    static final JsonTruthFormat INSTANCE = new JsonTruthFormat();

    /** Unpacked gzip truth is held in memory, and a Java array ends here. */
    private static final int MOST_UNPACKED = 1 << 30;

    private JsonTruthFormat() {}

    @Override
    public String name() {
        return "JSON";
    }

    @Override
    public boolean recognises(String fileName, ByteBuffer head) {
        if (isGzip(head) || fileName.endsWith(".json") || fileName.endsWith(".jsonl")) {
            return true;
        }
        ByteOrderMark mark = ByteOrderMark.of(head);
        for (int i = head.position() + mark.length(); i < head.limit(); i++) {
            byte value = head.get(i);
            if (value != ' ' && value != '\t' && value != '\r' && value != '\n') {
                return value == '{' || value == '[';
            }
        }
        return mark == ByteOrderMark.UTF_16 || mark == ByteOrderMark.UTF_32;
    }

    @Override
    public List<TruthTable> open(TruthInput input, Blob blob) throws IOException {
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(HEAD_BYTES, blob.size()));
        blob.read(0, head);
        if (isGzip(head.rewind())) {
            byte[] bytes = unpack(input, blob);
            blob.close();
            return open(input, bytes);
        }
        int skip = skipMark(input, head.rewind());
        try (InputStream stream = new BlobStream(blob, skip)) {
            return new JsonTruthIndexer(input, blob, null).index(stream, skip);
        }
    }

    List<TruthTable> open(TruthInput input, byte[] bytes) throws IOException {
        int skip = skipMark(input, ByteBuffer.wrap(bytes));
        InputStream stream = new ByteArrayInputStream(bytes, skip, bytes.length - skip);
        return new JsonTruthIndexer(input, null, bytes).index(stream, skip);
    }

    @Override
    public TruthCursor newCursor(List<TruthColumn> columns) {
        return new JsonTruthCursor(columns);
    }

    private static boolean isGzip(ByteBuffer head) {
        return head.remaining() > 2
                && head.get(head.position()) == 0x1F
                && head.get(head.position() + 1) == (byte) 0x8B;
    }

    private static int skipMark(TruthInput input, ByteBuffer head) throws DatasetException {
        ByteOrderMark mark = ByteOrderMark.of(head);
        if (mark == ByteOrderMark.UTF_16 || mark == ByteOrderMark.UTF_32) {
            throw new DatasetException(input.prefix() + " is " + mark + "; JSON truth must be UTF-8: convert it");
        }
        return mark.length();
    }

    private static byte[] unpack(TruthInput input, Blob blob) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] chunk = new byte[64 << 10];
        try (InputStream packed = new GZIPInputStream(new BlobStream(blob, 0), chunk.length)) {
            for (int count = packed.read(chunk); count >= 0; count = packed.read(chunk)) {
                bytes.write(chunk, 0, count);
                if (bytes.size() > MOST_UNPACKED) {
                    throw new DatasetException(input.prefix() + " unpacks to more than " + (MOST_UNPACKED >> 20)
                            + " MiB, which would have to stay in memory; unpack the file, or write it as Arrow");
                }
            }
        } catch (EOFException | ZipException e) {
            throw new DatasetException(
                    input.prefix() + " is gzip that can't be unpacked after " + bytes.size() + " bytes ("
                            + e.getMessage() + "); the file was cut or is damaged",
                    e);
        }
        return bytes.toByteArray();
    }
}
