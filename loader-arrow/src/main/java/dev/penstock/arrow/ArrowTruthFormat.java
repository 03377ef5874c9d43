package dev.penstock.arrow;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.StoredTruth;
import dev.penstock.decode.truth.StoredTruthCursor;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthCursor;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthFormat;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Truth in Arrow IPC files, by this library's writer or another's (uncompressed). The records' time is the field of the
 * schema's {@code time} key, or of its {@code frame} key. Option {@code batch}: only that record batch.
 */
public final class ArrowTruthFormat implements TruthFormat {
    /** Metadata of the file: identity of the truth that it was made of. */
    static final String IDENTITY = "penstock.identity";
    /** Metadata of the file: the episode's constants, one JSON object. */
    static final String CONSTANTS = "penstock.constants";
    /** Metadata of the file: the field that is the records' time, where it is not the schema's. */
    static final String TIME = "penstock.time";
    /** Metadata of the file: file names of the episode's other lists, one a line. */
    static final String OTHERS = "penstock.lists";

    /** For {@link java.util.ServiceLoader}. */
    public ArrowTruthFormat() {}

    @Override
    public String name() {
        return "Arrow";
    }

    @Override
    public boolean recognises(String fileName, ByteBuffer head) {
        for (int i = 0; i < ArrowFile.MAGIC.length; i++) {
            if (head.remaining() <= i || head.get(head.position() + i) != ArrowFile.MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<TruthTable> open(TruthInput input, Blob blob) throws IOException {
        ArrowFile file = new ArrowFile(blob, input.prefix());
        Map<String, String> metadata = file.metadata();
        List<TruthTable> tables = new ArrayList<>();
        if (file.batches() > 0) {
            tables.add(table(input, blob, file));
        }
        String constants = metadata.get(CONSTANTS);
        if (constants != null) {
            tables.addAll(
                    TruthTables.open(TruthInput.inline(input.episode(), constants, input.where() + " (constants)"))
                            .tables());
        }
        for (String other : metadata.getOrDefault(OTHERS, "").lines().toList()) {
            URI sibling = blob.uri().resolve(other);
            tables.addAll(
                    TruthTables.open(TruthInput.file(input.episode(), sibling)).tables());
        }
        blob.close();
        if (tables.isEmpty()) {
            throw file.broken("holds no record");
        }
        return tables;
    }

    @Override
    public TruthCursor newCursor(List<TruthColumn> columns) {
        return new StoredTruthCursor(columns);
    }

    private StoredTruth table(TruthInput input, Blob blob, ArrowFile file) throws IOException {
        int from = 0;
        int to = file.batches();
        if (input.options().get("batch") instanceof Number batch) {
            from = batch.intValue();
            to = from + 1;
            if (from < 0 || to > file.batches()) {
                throw file.broken("has " + file.batches() + " record batches, none with number " + from);
            }
        }
        Map<String, String> problems = new HashMap<>();
        Map<String, TruthField> fields = new LinkedHashMap<>();
        List<StoredTruth.Part> parts = new ArrayList<>();
        int records = 0;
        for (ArrowFile.Batch batch : file.read(from, to)) {
            Map<String, StoredColumn> columns = new HashMap<>();
            ArrowSchemas schemas = new ArrowSchemas(batch, problems);
            for (StoredColumn column : schemas.columns(file)) {
                columns.put(column.field().name(), column);
                fields.merge(column.field().name(), column.field(), (a, b) -> a.optional() ? a : b);
            }
            parts.add(new StoredTruth.Part(columns, schemas.rounded(), records, batch.records(), 0));
            records += batch.records();
        }
        double[] times = times(input, file, parts, records);
        String identity = file.metadata().get(IDENTITY);
        return new StoredTruth(
                this,
                input,
                (identity == null ? digest(blob) : identity) + (to - from < file.batches() ? "#" + from : ""),
                isByFrame(input, file, parts) ? TruthTable.Form.FRAME : TruthTable.Form.TIME,
                List.copyOf(fields.values()),
                problems,
                parts,
                times);
    }

    private static boolean isByFrame(TruthInput input, ArrowFile file, List<StoredTruth.Part> parts) {
        String time = file.metadata().getOrDefault(TIME, keys(input).time());
        return parts.stream().noneMatch(part -> numbers(part, time) != null);
    }

    private static TruthSchema keys(TruthInput input) {
        TruthSchema given = input.schema();
        return given == null ? new TruthSchema(List.of()) : given;
    }

    private static double[] times(TruthInput input, ArrowFile file, List<StoredTruth.Part> parts, int records)
            throws IOException {
        TruthSchema keys = keys(input);
        double[] times = new double[records];
        double[] frames = null;
        for (StoredTruth.Part part : parts) {
            StoredColumn time = numbers(part, file.metadata().getOrDefault(TIME, keys.time()));
            StoredColumn frame = time == null ? numbers(part, keys.frame()) : null;
            StoredColumn key = time == null ? frame : time;
            if (key == null) {
                throw file.broken("has neither a number field '" + keys.time() + "' (seconds) nor '" + keys.frame()
                        + "' (number in the reference clip)");
            }
            if (frame != null && frames == null) {
                frames = input.frames() == null ? new double[0] : input.frames().seconds();
            }
            for (int i = 0; i < part.records(); i++) {
                double value = key.number(i);
                if (frames != null && frame != null) {
                    value = value >= 0 && value < frames.length ? frames[(int) value] : Double.NaN;
                }
                if (!Double.isFinite(value) || key.isNull(i)) {
                    throw file.broken("has record " + (part.first() + i) + " with "
                            + key.field().name() + " "
                            + (key.isNull(i) ? "null" : String.valueOf(key.number(i)))
                            + ", which is no instant of the episode");
                }
                times[part.first() + i] = value;
            }
        }
        return times;
    }

    private static @Nullable StoredColumn numbers(StoredTruth.Part part, String name) {
        StoredColumn column = part.columns().get(name);
        boolean fits = column != null
                && (column.field().type() == TruthType.FLOAT64 || column.field().type() == TruthType.INT64)
                && column.field().shape().isEmpty()
                && !column.field().rows();
        return fits ? column : null;
    }

    private static String digest(Blob blob) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer piece = ByteBuffer.allocate(1 << 20);
            for (long at = 0; at < blob.size(); at += piece.limit()) {
                piece.clear().limit((int) Math.min(piece.capacity(), blob.size() - at));
                blob.read(at, piece);
                digest.update(piece.flip());
            }
            return "sha256-" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
