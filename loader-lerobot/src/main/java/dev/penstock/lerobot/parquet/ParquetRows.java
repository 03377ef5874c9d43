package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.FrameTimes;
import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.StoredTruth;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds one episode's rows in a Parquet file, and reads their times and wanted columns. One use, one thread. */
final class ParquetRows {
    private static final String EPISODE = "episode_index";
    private static final String TIMESTAMP = "timestamp";
    private static final String TASK_INDEX = "task_index";
    private static final String TASK = "task";
    /** LeRobot's own tolerance between a row's time and its frame's. */
    private static final double ROUNDING = 1e-4;

    private final ParquetTruthFormat format;
    private final ParquetCache cache;
    private final TruthInput input;
    private final Blob blob;
    private final ParquetFile file;
    private final Map<String, String> problems = new LinkedHashMap<>();
    private final Map<String, TruthField> fields = new LinkedHashMap<>();

    ParquetRows(ParquetTruthFormat format, ParquetCache cache, TruthInput input, Blob blob) throws IOException {
        this.format = format;
        this.cache = cache;
        this.input = input;
        this.blob = blob;
        this.file = cache.file(blob, "Parquet file " + input.where());
    }

    StoredTruth table() throws IOException {
        long from = 0;
        long to = file.rows();
        if (input.options().get("episode") instanceof Number episode) {
            long[] range = rowsOf(episode.longValue());
            from = range[0];
            to = range[1];
        }
        if (to == from) {
            throw broken("holds no record");
        }
        if (to - from > Integer.MAX_VALUE / 16) {
            throw broken("holds " + (to - from) + " records of one episode, which is more than memory takes");
        }
        List<StoredTruth.Part> parts = parts(from, to);
        boolean[] byFrame = new boolean[1];
        double[] seconds = seconds(from, to, byFrame);
        return new StoredTruth(
                format,
                input,
                identity(parts, seconds),
                byFrame[0] ? TruthTable.Form.FRAME : TruthTable.Form.TIME,
                List.copyOf(fields.values()),
                problems,
                parts,
                seconds);
    }

    private StoredColumn column(int group, String name) throws IOException {
        ParquetFile.Column column = cache.column(file, blob, group, name);
        if (column.problem() != null) {
            problems.putIfAbsent(name, input.prefix() + ": " + column.problem());
        }
        return column.values();
    }

    /** From and to, not included, of the rows with this episode_index. */
    private long[] rowsOf(long episode) throws IOException {
        long first = -1;
        long end = -1;
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int group = 0; group < file.groups(); group++) {
            StoredColumn numbers = column(group, EPISODE);
            if (!ParquetTruthFormat.isNumber(numbers)) {
                throw broken("has field '" + EPISODE + "' of " + numbers.field().describe() + ", int64 is needed");
            }
            long rows = file.firstRow(group + 1) - file.firstRow(group);
            for (int i = 0; i < rows; i++) {
                long number = (long) numbers.number(i);
                least = Math.min(least, number);
                most = Math.max(most, number);
                if (number == episode) {
                    long row = file.firstRow(group) + i;
                    if (end >= 0 && end != row) {
                        throw broken("has rows of " + EPISODE + " " + episode + " in row " + (end - 1) + " and in row "
                                + row + ", with others between them; an episode's rows must stand together");
                    }
                    first = first < 0 ? row : first;
                    end = row + 1;
                }
            }
        }
        if (first < 0) {
            throw broken("has no row of " + EPISODE + " " + episode
                    + (most < least ? "; it is empty" : "; it has " + least + " to " + most)
                    + ": the metadata names another file than the rows are in");
        }
        return new long[] {first, end};
    }

    private List<StoredTruth.Part> parts(long from, long to) throws IOException {
        Set<String> wanted = wanted();
        List<StoredTruth.Part> parts = new ArrayList<>();
        for (int group = 0; group < file.groups(); group++) {
            long start = Math.max(from, file.firstRow(group));
            long end = Math.min(to, file.firstRow(group + 1));
            if (start >= end) {
                continue;
            }
            Map<String, StoredColumn> columns = new LinkedHashMap<>();
            for (String name : wanted) {
                StoredColumn column =
                        name.equals(TASK) && tasks() != null && !file.names().contains(TASK)
                                ? tasks(group)
                                : column(group, name);
                columns.put(name, column);
                merge(column.field());
            }
            parts.add(new StoredTruth.Part(
                    columns, (int) (start - from), (int) (end - start), (int) (start - file.firstRow(group))));
        }
        return parts;
    }

    /** Two row groups may see one field differently: lists of one length here, of another there. */
    private void merge(TruthField field) throws DatasetException {
        TruthField before = fields.get(field.name());
        TruthField both = before == null ? field : TruthSchema.merged(before, field);
        if (both == null) {
            problems.putIfAbsent(
                    field.name(),
                    input.prefix() + ": field '" + field.name() + "' is " + String.valueOf(before)
                            + " in one row group and " + field.describe() + " in another");
            both = new TruthField(field.name(), TruthType.MIXED, false, List.of(), false);
        }
        fields.put(field.name(), both);
    }

    /** The fields to read: all where one that is wanted is not there, so that the message can name them. */
    private Set<String> wanted() {
        Set<String> all = new LinkedHashSet<>(file.names());
        if (tasks() != null && all.contains(TASK_INDEX)) {
            all.add(TASK);
        }
        Set<String> wanted = input.wanted();
        return wanted == null || !all.containsAll(wanted) ? all : wanted;
    }

    private @Nullable List<?> tasks() {
        return input.options().get("tasks") instanceof List<?> tasks ? tasks : null;
    }

    /** The text of each row's task. */
    private StoredColumn tasks(int group) throws IOException {
        List<?> tasks = tasks() == null ? List.of() : Objects.requireNonNull(tasks());
        StoredColumn numbers = column(group, TASK_INDEX);
        int rows = (int) (file.firstRow(group + 1) - file.firstRow(group));
        ByteBuffer offsets = ByteBuffer.allocate(4 * (rows + 1)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> texts = new ArrayList<>();
        tasks.forEach(task -> texts.add(String.valueOf(task).getBytes(StandardCharsets.UTF_8)));
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        offsets.putInt(0);
        for (int i = 0; i < rows; i++) {
            int number = (int) numbers.number(i);
            if (number < 0 || number >= texts.size()) {
                throw broken("has " + TASK_INDEX + " " + number + " in row " + (file.firstRow(group) + i)
                        + ", the dataset has " + texts.size() + " tasks");
            }
            values.writeBytes(texts.get(number));
            offsets.putInt(values.size());
        }
        TruthField field = new TruthField(TASK, TruthType.TEXT, false, List.of(), false);
        return new StoredColumn(field, 1, true, 1, null, offsets.flip(), false, ByteBuffer.wrap(values.toByteArray()));
    }

    private double[] seconds(long from, long to, boolean[] byFrame) throws IOException {
        TruthSchema given = input.schema();
        TruthSchema keys = given == null ? new TruthSchema(List.of()) : given;
        List<String> names = file.names();
        double fps = input.options().get("fps") instanceof Number rate ? rate.doubleValue() : 0;
        double[] seconds = new double[(int) (to - from)];
        String key =
                names.contains(keys.time()) ? keys.time() : names.contains(keys.frame()) ? keys.frame() : TIMESTAMP;
        byFrame[0] = key.equals(keys.frame()) && !key.equals(keys.time());
        if (!names.contains(key)) {
            if (fps <= 0) {
                throw broken("has neither '" + keys.time() + "' or '" + TIMESTAMP + "' (seconds) nor '" + keys.frame()
                        + "' (number in the reference clip); there are " + names);
            }
            for (int i = 0; i < seconds.length; i++) {
                seconds[i] = i / fps;
            }
            return seconds;
        }
        FrameTimes source = input.frames();
        double[] frames = !byFrame[0] ? null : source == null ? new double[0] : source.seconds();
        for (int group = 0; group < file.groups(); group++) {
            long start = Math.max(from, file.firstRow(group));
            long end = Math.min(to, file.firstRow(group + 1));
            StoredColumn times = start < end ? column(group, key) : null;
            for (long row = start; times != null && row < end; row++) {
                int at = (int) (row - file.firstRow(group));
                seconds[(int) (row - from)] = instant(times, at, row, frames, fps);
            }
        }
        return seconds;
    }

    private double instant(StoredColumn times, int at, long row, double @Nullable [] frames, double fps)
            throws DatasetException {
        boolean number = ParquetTruthFormat.isNumber(times) && !times.isNull(at);
        double value = number ? times.number(at) : Double.NaN;
        double seconds = value;
        if (frames != null) {
            boolean there = value >= 0 && value < frames.length && value == Math.rint(value);
            seconds = there ? frames[(int) value] : Double.NaN;
        } else if (fps > 0) {
            // 32 bits of a time can't say which frame is meant once an episode is some minutes long.
            double frame = Math.rint(value * fps) / fps;
            seconds = Math.abs(frame - value) <= ROUNDING ? frame : value;
        }
        if (!Double.isFinite(seconds)) {
            throw broken("has record " + row + " with " + times.field().name() + " "
                    + (number ? String.valueOf(value) : "null") + ", which is no instant of the episode");
        }
        return seconds;
    }

    /** Of what was read: times and columns of the episode's rows, whatever stands around them. */
    private String identity(List<StoredTruth.Part> parts, double[] seconds) {
        MessageDigest digest = sha256();
        ByteBuffer times = ByteBuffer.allocate(8 * seconds.length).order(ByteOrder.LITTLE_ENDIAN);
        times.asDoubleBuffer().put(seconds);
        digest.update(times);
        for (StoredTruth.Part part : parts) {
            for (String name : new TreeSet<>(part.columns().keySet())) {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                Objects.requireNonNull(part.columns().get(name))
                        .digest(digest, part.skip(), part.skip() + part.records());
            }
        }
        return "sha256-" + HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private DatasetException broken(String what) {
        return new DatasetException(input.prefix() + " (Parquet) " + what);
    }
}
