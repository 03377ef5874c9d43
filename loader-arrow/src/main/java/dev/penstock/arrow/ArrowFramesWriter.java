package dev.penstock.arrow;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes pictures as an Arrow IPC file: fields {@code pts} (int64, ticks) and {@code frame}, a uint8
 * {@code arrow.fixed_shape_tensor} of shape {@code [height, width, 3]}. A record batch holds up to
 * {@value #BATCH_BYTES} bytes of pictures, so memory stays bounded. Equal pictures give equal bytes. One thread.
 */
public final class ArrowFramesWriter implements AutoCloseable {
    static final int BATCH_BYTES = 8 << 20;

    private final Path file;
    private final int frameBytes;
    private final int perBatch;
    private final BufferAllocator memory = new RootAllocator();
    private final VectorSchemaRoot root;
    private final FileChannel channel;
    private final ArrowFileWriter writer;
    private int inBatch;
    private int count;

    /**
     * Begins a file.
     *
     * @throws IllegalStateException when the JVM lacks the option that Arrow needs; the message has it
     */
    public ArrowFramesWriter(Path file, Size size) throws IOException {
        ArrowFlags.require();
        this.file = file;
        this.frameBytes = 3 * size.width() * size.height();
        this.perBatch = Math.max(1, BATCH_BYTES / frameBytes);
        this.root = VectorSchemaRoot.create(schema(size, frameBytes), memory);
        this.channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        this.writer = new ArrowFileWriter(root, null, channel);
        writer.start();
    }

    /** Off-heap bytes that writing pictures of this size takes. */
    public static long memory(Size size) {
        long frame = 3L * size.width() * size.height();
        long batch = Math.max(1, BATCH_BYTES / frame) * frame;
        return 2 * (batch + batch / 8); // Arrow's allocator rounds up to powers of two
    }

    private static Schema schema(Size size, int frameBytes) {
        Map<String, String> tensor = ArrowFields.tensor(List.of(size.height(), size.width(), 3));
        Field item = new Field("item", FieldType.notNullable(new ArrowType.Int(8, false)), List.of());
        return new Schema(List.of(
                new Field("pts", FieldType.notNullable(new ArrowType.Int(64, true)), List.of()),
                new Field(
                        "frame",
                        new FieldType(false, new ArrowType.FixedSizeList(frameBytes), null, tensor),
                        List.of(item))));
    }

    /** Writes a picture: R, G, B of each pixel, row by row, from byte {@code offset} of a direct buffer. */
    public void write(long pts, ByteBuffer pixels, int offset) throws IOException {
        BigIntVector times = (BigIntVector) root.getVector("pts");
        UInt1Vector values = (UInt1Vector) frames().getDataVector();
        if (inBatch == 0) {
            times.allocateNew(perBatch);
            frames().allocateNew();
            values.allocateNew(perBatch * frameBytes);
        }
        times.set(inBatch, pts);
        frames().setNotNull(inBatch);
        values.getDataBuffer()
                .setBytes(
                        (long) inBatch * frameBytes,
                        pixels.slice(offset, frameBytes).order(pixels.order()));
        inBatch++;
        count++;
        if (inBatch == perBatch) {
            writeBatch();
        }
    }

    private FixedSizeListVector frames() {
        return (FixedSizeListVector) root.getVector("frame");
    }

    private void writeBatch() throws IOException {
        UInt1Vector values = (UInt1Vector) frames().getDataVector();
        int bytes = inBatch * frameBytes;
        values.getValidityBuffer().setOne(0L, (bytes + 7) / 8L);
        values.setValueCount(bytes);
        for (FieldVector vector : root.getFieldVectors()) {
            vector.setValueCount(inBatch);
        }
        root.setRowCount(inBatch);
        writer.writeBatch();
        root.clear();
        inBatch = 0;
    }

    /**
     * Ends the file and brings it to the disk.
     *
     * @return where each picture's bytes start in the file
     */
    public long[] finish() throws IOException {
        if (inBatch > 0) {
            writeBatch();
        }
        writer.end();
        channel.force(true);
        close();
        return positions();
    }

    private long[] positions() throws IOException {
        LongStream.Builder positions = LongStream.builder();
        try (Blob blob = BlobStores.of(file.toUri()).open(file.toUri())) {
            ArrowFile written = new ArrowFile(blob, file.toString());
            for (int batch = 0; batch < written.batches(); batch++) {
                // buffers: validity and values of pts, validity of frame, validity and values of its items
                long start = written.bufferOffset(batch, 4);
                long frames = written.read(batch, batch + 1).get(0).records();
                for (long frame = 0; frame < frames; frame++) {
                    positions.add(start + frame * frameBytes);
                }
            }
        }
        long[] found = positions.build().toArray();
        if (found.length != count) {
            throw new IOException(file + ": " + found.length + " of " + count + " pictures were written");
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        writer.close();
        channel.close();
        root.close();
        memory.close();
    }
}
