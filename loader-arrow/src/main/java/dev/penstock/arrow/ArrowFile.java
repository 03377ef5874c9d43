package dev.penstock.arrow;

import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

/**
 * An Arrow IPC file, by its footer: schema, metadata and record batches that are mapped when it is local, else read into
 * direct memory. Layout: the Arrow columnar format's "IPC File Format" and its Message.fbs, File.fbs. One thread.
 *
 * <p>The file's flatbuffers are read here with the generated classes of arrow-format, and values straight from the map: so
 * reading needs neither Arrow's allocator nor the JVM option that it asks for.
 */
final class ArrowFile {
    static final byte[] MAGIC = {'A', 'R', 'R', 'O', 'W', '1'};

    private final Blob blob;
    private final String where;
    private final Footer footer;

    ArrowFile(Blob blob, String where) throws IOException {
        this.blob = blob;
        this.where = where;
        this.footer = readFooter();
    }

    private Footer readFooter() throws IOException {
        ByteBuffer tail = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
        if (blob.size() < 2 * MAGIC.length + 10) {
            throw broken("has " + blob.size() + " bytes");
        }
        blob.read(blob.size() - 10, tail);
        for (int i = 0; i < MAGIC.length; i++) {
            if (tail.get(4 + i) != MAGIC[i]) {
                throw broken("does not end with ARROW1: it was cut, or its writer was not closed");
            }
        }
        int length = tail.getInt(0);
        if (length <= 0 || length > blob.size() - 2L * MAGIC.length - 4) {
            throw broken("says that its footer has " + length + " bytes");
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        blob.read(blob.size() - 10 - length, bytes);
        return Footer.getRootAsFooter(bytes.rewind());
    }

    Schema schema() {
        return footer.schema();
    }

    Map<String, String> metadata() {
        Map<String, String> map = new HashMap<>();
        Schema schema = schema();
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            KeyValue entry = schema.customMetadata(i);
            map.put(entry.key(), entry.value());
        }
        return map;
    }

    int batches() {
        return footer.recordBatchesLength();
    }

    /** One record batch: its length and where its buffers are. */
    record Batch(RecordBatch header, ByteBuffer body) {
        int records() {
            return Math.toIntExact(header.length());
        }

        /** Buffer {@code i}, a view from 0; null where it is empty. */
        @org.jspecify.annotations.Nullable
        ByteBuffer buffer(int i) {
            long length = header.buffers(i).length();
            return length == 0
                    ? null
                    : body.slice(Math.toIntExact(header.buffers(i).offset()), Math.toIntExact(length))
                            .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    List<Batch> read(int from, int to) throws IOException {
        List<Batch> batches = new ArrayList<>();
        for (int i = from; i < to; i++) {
            batches.add(batch(footer.recordBatches(i), i));
        }
        return batches;
    }

    /** Where a buffer of a record batch starts in the file. */
    long bufferOffset(int batch, int buffer) throws IOException {
        Block block = footer.recordBatches(batch);
        return block.offset()
                + block.metaDataLength()
                + batch(block, batch).header().buffers(buffer).offset();
    }

    private Batch batch(Block block, int number) throws IOException {
        long size = block.metaDataLength() + block.bodyLength();
        if (block.offset() < 0 || size < 8 || block.offset() > blob.size() - size) {
            throw broken("has record batch " + number + " at byte " + block.offset() + " of " + size
                    + " bytes, past its end of " + blob.size());
        }
        if (size > Integer.MAX_VALUE) {
            throw broken("has record batch " + number + " of " + size + " bytes; a batch must stay under 2 GiB");
        }
        ByteBuffer whole = bytes(block.offset(), (int) size).order(ByteOrder.LITTLE_ENDIAN);
        int start = whole.getInt(0) == -1 ? 8 : 4; // a continuation marker stands in front since format 0.15
        ByteBuffer meta = whole.slice(start, block.metaDataLength() - start).order(ByteOrder.LITTLE_ENDIAN);
        Message message = Message.getRootAsMessage(meta);
        if (message.headerType() != MessageHeader.RecordBatch) {
            throw broken("has a message of type " + message.headerType() + " where record batch " + number + " is");
        }
        RecordBatch header = (RecordBatch) java.util.Objects.requireNonNull(message.header(new RecordBatch()));
        if (header.compression() != null) {
            throw broken("has compressed buffers; truth is read in place: write it without compression");
        }
        return new Batch(
                header,
                whole.slice(block.metaDataLength(), Math.toIntExact(block.bodyLength()))
                        .order(ByteOrder.LITTLE_ENDIAN));
    }

    private ByteBuffer bytes(long offset, int length) throws IOException {
        if ("file".equals(blob.uri().getScheme())) {
            try (FileChannel channel = FileChannel.open(Path.of(blob.uri()), StandardOpenOption.READ)) {
                return channel.map(FileChannel.MapMode.READ_ONLY, offset, length);
            }
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        blob.read(offset, bytes);
        return bytes.rewind();
    }

    DatasetException broken(String what) {
        return new DatasetException(where + ": the Arrow file " + what);
    }
}
