package dev.penstock.decode.clip;

import java.io.IOException;
import java.net.URI;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * An index as bytes: {@code PIDX}, a version byte, a body of variable-length integers, and the CRC32C of all before it
 * in four big-endian bytes. docs/decode.md describes the body. Rows are deltas against the row before, so an ordinary
 * packet takes five to eight bytes.
 *
 * <p>A file that is cut, damaged or of another version is never half read: {@link #decode} throws.
 */
public final class ClipIndexFile {
    /** Extension of index files. */
    public static final String EXTENSION = ".pidx";

    private static final int MAGIC = 0x50494458;
    private static final int VERSION = 1;
    /** A row takes at least one byte for each of its six columns. */
    private static final int LEAST_ROW_BYTES = 6;

    private ClipIndexFile() {}

    /** The index as bytes. */
    public static byte[] encode(ClipIndex index) {
        VarWriter out = new VarWriter();
        out.putInt(MAGIC);
        out.putByte(VERSION);
        writeSource(out, index.source());
        writeFormat(out, index.format());
        out.unsigned(index.formatChanges().size());
        for (ClipIndex.FormatChange change : index.formatChanges()) {
            out.unsigned(change.packet());
            out.bytes(change.extradata().toByteArray());
        }
        writeRows(out, index.packets());
        CRC32C crc = new CRC32C();
        crc.update(out.array(), 0, out.length());
        out.putInt((int) crc.getValue());
        return out.toByteArray();
    }

    /** The index in these bytes; {@link IOException} where they are not a whole, undamaged index of this version. */
    public static ClipIndex decode(byte[] bytes) throws IOException {
        ByteBuffer in = checked(bytes);
        try {
            ClipIndex.Source source = readSource(in);
            StreamFormat format = readFormat(in);
            int changes = count(in, 2);
            List<ClipIndex.FormatChange> formatChanges = new ArrayList<>(changes);
            for (int i = 0; i < changes; i++) {
                formatChanges.add(
                        new ClipIndex.FormatChange((int) VarWriter.unsigned(in), CodecConfig.of(VarWriter.bytes(in))));
            }
            return new ClipIndex(source, format, readRows(in), formatChanges);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("index file is inconsistent: " + e.getMessage(), e);
        }
    }

    private static ByteBuffer checked(byte[] bytes) throws IOException {
        if (bytes.length < 9) {
            throw new IOException("index file is cut: " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - 4);
        if (in.getInt() != MAGIC) {
            throw new IOException("not an index file");
        }
        int version = in.get();
        if (version != VERSION) {
            throw new IOException("index file has version " + version + ", this library reads " + VERSION);
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        if ((int) crc.getValue() != ByteBuffer.wrap(bytes).getInt(bytes.length - 4)) {
            throw new IOException("index file is damaged: its checksum does not match");
        }
        return in;
    }

    /** Writes beside the target and renames, so that no reader sees half a file. */
    static void write(Path file, ClipIndex index) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path aside = Files.createTempFile(folder, file.getFileName().toString(), ".tmp");
        try {
            Files.write(aside, encode(index));
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void writeSource(VarWriter out, ClipIndex.Source s) {
        out.string(s.uri().toString());
        out.string(s.identity());
        out.unsigned(s.blobSize());
        out.unsigned(s.stream());
        out.string(s.container());
        out.unsigned(s.access() == ClipIndex.Access.RANGES ? 0 : 1);
        out.string(s.accessReason());
        out.unsigned(s.timeBaseNumerator());
        out.unsigned(s.timeBaseDenominator());
        out.signed(s.rotation());
        out.unsigned(s.mirrored() ? 1 : 0);
        out.unsigned(s.declaredPackets());
    }

    private static ClipIndex.Source readSource(ByteBuffer in) throws IOException {
        URI uri = URI.create(string(in));
        String identity = string(in);
        long size = VarWriter.unsigned(in);
        int stream = (int) VarWriter.unsigned(in);
        String container = string(in);
        int access = (int) VarWriter.unsigned(in);
        if (access > 1) {
            throw new IOException("index file has an unknown access " + access);
        }
        return new ClipIndex.Source(
                uri,
                identity,
                size,
                stream,
                container,
                access == 0 ? ClipIndex.Access.RANGES : ClipIndex.Access.DEMUX,
                string(in),
                (int) VarWriter.unsigned(in),
                (int) VarWriter.unsigned(in),
                (int) VarWriter.signed(in),
                VarWriter.unsigned(in) != 0,
                (int) VarWriter.unsigned(in));
    }

    private static void writeFormat(VarWriter out, StreamFormat f) {
        out.string(f.codec());
        out.unsigned(f.codecTag() & 0xFFFFFFFFL);
        out.bytes(f.extradata().toByteArray());
        out.unsigned(f.width());
        out.unsigned(f.height());
        out.string(f.pixelFormat());
        int[] numbers = {
            f.profile(),
            f.level(),
            f.bitsPerCodedSample(),
            f.colorRange(),
            f.colorMatrix(),
            f.colorPrimaries(),
            f.colorTransfer(),
            f.sarNumerator(),
            f.sarDenominator(),
            f.fieldOrder(),
            f.videoDelay()
        };
        for (int number : numbers) {
            out.signed(number);
        }
    }

    private static StreamFormat readFormat(ByteBuffer in) {
        String codec = string(in);
        int tag = (int) VarWriter.unsigned(in);
        CodecConfig extradata = CodecConfig.of(VarWriter.bytes(in));
        int width = (int) VarWriter.unsigned(in);
        int height = (int) VarWriter.unsigned(in);
        String pixelFormat = string(in);
        int[] n = new int[11];
        for (int i = 0; i < n.length; i++) {
            n[i] = (int) VarWriter.signed(in);
        }
        return new StreamFormat(
                codec,
                tag,
                extradata,
                width,
                height,
                pixelFormat,
                n[0],
                n[1],
                n[2],
                n[3],
                n[4],
                n[5],
                n[6],
                n[7],
                n[8],
                n[9],
                n[10]);
    }

    private static void writeRows(VarWriter out, PacketTable t) {
        out.unsigned(t.count());
        long dts = 0;
        long end = 0;
        long duration = 0;
        for (int i = 0; i < t.count(); i++) {
            out.unsigned(t.flags(i)
                    | (t.dts(i) == PacketTable.NO_TIME ? 32 : 0)
                    | (t.pts(i) == PacketTable.NO_TIME ? 64 : 0));
            long d = t.dts(i) == PacketTable.NO_TIME ? dts : t.dts(i);
            out.signed(d - dts);
            out.signed(t.pts(i) == PacketTable.NO_TIME ? 0 : t.pts(i) - d);
            out.signed(t.pos(i) - end);
            out.unsigned(t.size(i));
            out.signed(t.duration(i) - duration);
            dts = d;
            end = t.pos(i) + t.size(i);
            duration = t.duration(i);
        }
    }

    private static PacketTable readRows(ByteBuffer in) {
        int n = count(in, LEAST_ROW_BYTES);
        PacketTable.Builder rows = new PacketTable.Builder();
        long dts = 0;
        long end = 0;
        long duration = 0;
        for (int i = 0; i < n; i++) {
            int flags = (int) VarWriter.unsigned(in);
            dts += VarWriter.signed(in);
            long pts = dts + VarWriter.signed(in);
            long pos = end + VarWriter.signed(in);
            int size = (int) VarWriter.unsigned(in);
            duration += VarWriter.signed(in);
            rows.add(
                    (flags & 64) != 0 ? PacketTable.NO_TIME : pts,
                    (flags & 32) != 0 ? PacketTable.NO_TIME : dts,
                    pos,
                    size,
                    duration,
                    flags & 31);
            end = pos + size;
        }
        return rows.build();
    }

    /** A count, refused where the bytes left could not hold so many. */
    private static int count(ByteBuffer in, int leastBytes) {
        long n = VarWriter.unsigned(in);
        if (n < 0 || n > in.remaining() / leastBytes) {
            throw new IllegalArgumentException(n + " entries in " + in.remaining() + " bytes");
        }
        return (int) n;
    }

    private static String string(ByteBuffer in) {
        return new String(VarWriter.bytes(in), StandardCharsets.UTF_8);
    }
}
