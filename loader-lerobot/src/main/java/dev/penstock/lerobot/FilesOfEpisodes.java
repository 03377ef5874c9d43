package dev.penstock.lerobot;

import dev.penstock.decode.Episode;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Versions 2.0 and 2.1: metadata in JSON Lines, a Parquet file and a video for each episode. One use, one thread. */
final class FilesOfEpisodes {
    private static final String EPISODES = "meta/episodes.jsonl";
    private static final String TASKS = "meta/tasks.jsonl";
    private static final JsonMapper JSON = new JsonMapper();

    private final LeRobotInfo info;
    private final LeRobotFolder files;

    FilesOfEpisodes(LeRobotInfo info, LeRobotFolder files) {
        this.info = info;
        this.files = files;
    }

    List<Episode> episodes() throws IOException {
        EpisodeBuilder builder = new EpisodeBuilder(info, files, tasks());
        for (JsonNode line : lines(EPISODES)) {
            int index = line.path("episode_index").asInt(-1);
            if (index < 0) {
                throw new DatasetException(files.readable(EPISODES) + ": a line without episode_index: " + line);
            }
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("episode_index", index);
            values.put("episode_chunk", index / info.chunkSize());
            builder.episode(index, values, false, metadata(line));
            for (String key : builder.videoKeys()) {
                values.put("video_key", key);
                builder.camera(key, values, null, null);
            }
        }
        return builder.episodes();
    }

    private List<String> tasks() throws IOException {
        List<String> tasks = new ArrayList<>();
        if (files.has(TASKS)) {
            for (JsonNode line : lines(TASKS)) {
                TaskTexts.put(
                        tasks,
                        line.path("task_index").asLong(-1),
                        line.path("task").asString(""),
                        files.readable(TASKS));
            }
        }
        return tasks;
    }

    @SuppressWarnings("unchecked") // an object is a map of plain values
    private static Map<String, Object> metadata(JsonNode line) {
        return (Map<String, Object>) JSON.treeToValue(line, Map.class);
    }

    private List<JsonNode> lines(String path) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        int number = 0;
        String text = new String(files.store().readAll(files.uri(path)), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                try {
                    lines.add(JSON.readTree(line));
                } catch (JacksonException e) {
                    throw new DatasetException(
                            files.readable(path) + ", line " + number + ": not a JSON object: "
                                    + e.getOriginalMessage(),
                            e);
                }
            }
        }
        return lines;
    }
}
