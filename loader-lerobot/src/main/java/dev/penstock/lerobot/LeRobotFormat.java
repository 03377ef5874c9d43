package dev.penstock.lerobot;

import dev.penstock.decode.DatasetFormat;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * LeRobot folders of the versions 2.x (a file for each episode) and 3.x (files of several episodes). Opening one reads the
 * metadata and lists the folders of data and videos; no video and no row.
 */
public final class LeRobotFormat implements DatasetFormat {
    private static final String INFO = "meta/info.json";

    /** For {@link java.util.ServiceLoader}. */
    public LeRobotFormat() {}

    @Override
    public String name() {
        return "LeRobot";
    }

    @Override
    public boolean recognises(BlobStore store, URI folder) throws IOException {
        return store.exists(folder.resolve(INFO))
                && new String(store.readAll(folder.resolve(INFO)), StandardCharsets.UTF_8)
                        .contains("\"codebase_version\"");
    }

    @Override
    public Episodes open(BlobStore store, URI folder) throws IOException {
        String name = "file".equals(folder.getScheme()) ? folder.getPath() : folder.toString();
        URI place = folder.resolve(INFO);
        LeRobotInfo info = LeRobotInfo.read(name + INFO, store.readAll(place));
        LeRobotFolder files = new LeRobotFolder(store, folder, name);
        List<Episode> episodes =
                info.isShared() ? new SharedFiles(info, files).episodes() : new FilesOfEpisodes(info, files).episodes();
        if (episodes.isEmpty()) {
            throw new DatasetException(name + " is a LeRobot dataset without any episode in its metadata");
        }
        return Episodes.of(name, episodes);
    }
}
