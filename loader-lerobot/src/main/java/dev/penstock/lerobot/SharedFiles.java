package dev.penstock.lerobot;

import dev.penstock.decode.Episode;
import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.lerobot.parquet.ParquetFile;
import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Version 3.0: metadata in Parquet, several episodes in one Parquet file and one video. One use, one thread.
 */
final class SharedFiles {
    private static final String EPISODES = "meta/episodes/";
    private static final String TASKS = "meta/tasks.parquet";

    private final LeRobotInfo info;
    private final LeRobotFolder files;

    SharedFiles(LeRobotInfo info, LeRobotFolder files) {
        this.info = info;
        this.files = files;
    }

    List<Episode> episodes() throws IOException {
        EpisodeBuilder builder = new EpisodeBuilder(info, files, tasks());
        for (String path : files.below(EPISODES, ".parquet")) {
            try (Blob blob = files.store().open(files.uri(path))) {
                Table table = new Table(blob, files.readable(path));
                for (int row = 0; row < table.rows(); row++) {
                    episode(builder, table, row);
                }
            }
        }
        return builder.episodes();
    }

    private void episode(EpisodeBuilder builder, Table table, int row) throws IOException {
        int index = (int) table.number("episode_index", row);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("episode_index", index);
        metadata.put("tasks", table.texts("tasks", row));
        metadata.put("length", (long) table.number("length", row));
        builder.episode(index, values(table, "data/", row), true, metadata);
        for (String key : builder.videoKeys()) {
            String prefix = "videos/" + key + "/";
            if (table.has(prefix + "chunk_index")) {
                Map<String, Object> values = values(table, prefix, row);
                values.put("video_key", key);
                builder.camera(
                        key,
                        values,
                        table.number(prefix + "from_timestamp", row),
                        table.number(prefix + "to_timestamp", row));
            }
        }
    }

    private static Map<String, Object> values(Table table, String prefix, int row) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("chunk_index", (long) table.number(prefix + "chunk_index", row));
        values.put("file_index", (long) table.number(prefix + "file_index", row));
        return values;
    }

    private List<String> tasks() throws IOException {
        List<String> tasks = new ArrayList<>();
        if (!files.has(TASKS)) {
            return tasks;
        }
        try (Blob blob = files.store().open(files.uri(TASKS))) {
            Table table = new Table(blob, files.readable(TASKS));
            String text = table.has("task") ? "task" : "__index_level_0__"; // the index of a pandas frame
            for (int row = 0; row < table.rows(); row++) {
                List<String> texts = table.texts(text, row);
                TaskTexts.put(
                        tasks,
                        (long) table.number("task_index", row),
                        texts.isEmpty() ? "" : texts.get(0),
                        files.readable(TASKS));
            }
        }
        return tasks;
    }

    /** A small Parquet table of metadata, its columns read as they are asked for. */
    private static final class Table {
        private final Blob blob;
        private final String where;
        private final ParquetFile file;
        private final Map<String, List<StoredColumn>> numbers = new LinkedHashMap<>();
        private final Map<String, List<List<String>>> texts = new LinkedHashMap<>();

        Table(Blob blob, String where) throws IOException {
            this.blob = blob;
            this.where = where;
            this.file = new ParquetFile(blob, where);
        }

        long rows() {
            return file.rows();
        }

        boolean has(String name) {
            return file.names().contains(name);
        }

        double number(String name, int row) throws IOException {
            List<StoredColumn> column = numbers.get(name);
            if (column == null) {
                column = new ArrayList<>();
                for (int group = 0; group < file.groups(); group++) {
                    column.add(file.read(blob, group, name).values());
                }
                numbers.put(name, column);
            }
            int group = 0;
            while (file.firstRow(group + 1) <= row) {
                group++;
            }
            StoredColumn values = column.get(group);
            int at = (int) (row - file.firstRow(group));
            TruthType type = values.field().type();
            boolean number = (type == TruthType.INT64 || type == TruthType.FLOAT64)
                    && values.field().shape().isEmpty();
            if (!number || values.isNull(at)) {
                throw new DatasetException(where + ", row " + row + ": field '" + name + "' is "
                        + (number ? "null" : values.field().describe()) + ", a number is needed");
            }
            return values.number(at);
        }

        List<String> texts(String name, int row) throws IOException {
            List<List<String>> column = texts.get(name);
            if (column == null) {
                column = file.texts(blob, name);
                texts.put(name, column);
            }
            return row < column.size() ? column.get(row) : List.of();
        }
    }
}
