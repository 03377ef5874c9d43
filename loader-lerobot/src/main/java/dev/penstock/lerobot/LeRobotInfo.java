package dev.penstock.lerobot;

import dev.penstock.spi.DatasetException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code meta/info.json} says that loading needs. Its totals are not among that: they are often wrong. Immutable.
 *
 * @param where the file, for messages
 * @param version {@code v2.0}, {@code v2.1}, {@code v3.0}
 * @param fps rows and frames a second
 * @param chunkSize episodes (2.x) or files (3.x) in a chunk's folder
 * @param dataPath pattern of the Parquet files' paths
 * @param videoPath pattern of the videos' paths, or null without videos
 * @param features kind of each feature ({@code video}, {@code image}, {@code float32} …) by name
 * @param splits from and to, not included, of the episode numbers of each split
 */
record LeRobotInfo(
        String where,
        String version,
        double fps,
        int chunkSize,
        String dataPath,
        @Nullable String videoPath,
        Map<String, String> features,
        Map<String, int[]> splits) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern FIELD = Pattern.compile("\\{(\\w+)(?::0?(\\d+)d)?\\}");
    private static final Pattern RANGE = Pattern.compile("\\s*(\\d*)\\s*:\\s*(\\d*)\\s*");

    static LeRobotInfo read(String where, byte[] bytes) throws DatasetException {
        JsonNode node;
        try {
            node = JSON.readTree(bytes);
        } catch (JacksonException e) {
            throw new DatasetException(where + " is no JSON: " + e.getOriginalMessage(), e);
        }
        String version = node.path("codebase_version").asString("");
        if (!version.matches("v[23]\\.\\d+.*")) {
            throw new DatasetException(where + ": codebase_version is '" + version
                    + "'; v2.0, v2.1 and v3.0 are read: convert the dataset with LeRobot's scripts");
        }
        double fps = node.path("fps").asDouble(0);
        if (!(fps > 0)) {
            throw new DatasetException(where + ": fps is " + node.path("fps") + ", must be a number greater than 0");
        }
        boolean shared = version.startsWith("v3");
        Map<String, String> features = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> feature : node.path("features").properties()) {
            features.put(feature.getKey(), feature.getValue().path("dtype").asString(""));
        }
        return new LeRobotInfo(
                where,
                version,
                fps,
                Math.max(1, node.path("chunks_size").asInt(1000)),
                node.path("data_path")
                        .asString(
                                shared
                                        ? "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
                                        : "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet"),
                node.path("video_path").isString() ? node.path("video_path").asString() : null,
                features,
                splits(where, node.path("splits")));
    }

    private static Map<String, int[]> splits(String where, JsonNode node) throws DatasetException {
        Map<String, int[]> splits = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> split : node.properties()) {
            Matcher range = RANGE.matcher(split.getValue().asString(""));
            if (!range.matches()) {
                throw new DatasetException(where + ": split '" + split.getKey() + "' is " + split.getValue()
                        + ", must be a range of episodes such as \"0:100\"");
            }
            splits.put(split.getKey(), new int[] {
                range.group(1).isEmpty() ? 0 : Integer.parseInt(range.group(1)),
                range.group(2).isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(range.group(2))
            });
        }
        return splits;
    }

    /** Whether several episodes share a file. */
    boolean isShared() {
        return version.startsWith("v3");
    }

    /** The split that an episode is in, the first where there are several; null for none. */
    @Nullable
    String splitOf(int episode) {
        for (Map.Entry<String, int[]> split : splits.entrySet()) {
            if (episode >= split.getValue()[0] && episode < split.getValue()[1]) {
                return split.getKey();
            }
        }
        return null;
    }

    /** Fills Python's format fields: {@code {episode_index:06d}}. */
    String path(String pattern, Map<String, Object> values) throws DatasetException {
        Matcher field = FIELD.matcher(pattern);
        StringBuilder path = new StringBuilder();
        int copied = 0;
        while (field.find()) {
            Object value = values.get(field.group(1));
            if (value == null) {
                throw new DatasetException(
                        where + ": path '" + pattern + "' has {" + field.group(1) + "}; known are " + values.keySet());
            }
            String text = String.valueOf(value);
            int width = field.group(2) == null ? 0 : Integer.parseInt(field.group(2));
            path.append(pattern, copied, field.start()).append("0".repeat(Math.max(0, width - text.length())));
            path.append(text);
            copied = field.end();
        }
        return path.append(pattern.substring(copied)).toString();
    }
}
