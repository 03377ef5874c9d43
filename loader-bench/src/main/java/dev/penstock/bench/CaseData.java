package dev.penstock.bench;

import dev.penstock.arrow.artifact.MaterializeReport;
import dev.penstock.arrow.artifact.Materializer;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The data of the demo's case study, under one folder: the raw episodes, one of them (split {@code test}) materialized
 * for a trial, and the others (split {@code train}) materialized whole. Immutable.
 */
final class CaseData {
    private final Path folder;
    private final DemoSettings settings;

    CaseData(Path folder, boolean quick) {
        this.folder = folder;
        settings = settings(quick);
    }

    private static DemoSettings settings(boolean quick) {
        DemoSettings some = DemoSettings.STANDARD.points(20_000);
        return quick ? some.length(3, 2).size(Size.of(960, 540)) : some.length(4, 3);
    }

    /** A name for the folder that changes where the data do, so that a cache of an older version is left alone. */
    static String folderName(boolean quick) {
        return (quick ? "case-quick-" : "case-") + settings(quick).points();
    }

    DemoSettings settings() {
        return settings;
    }

    Path folder() {
        return folder;
    }

    /** What is trained on: a window of one camera, and truth with a range scan. */
    static View view() {
        return View.builder()
                .video(VideoColumn.of("front", Window.frames(4).every(2), Size.of(224, 224))
                        .layout(Layout.TCHW))
                .truth("steering", Column.float32())
                .truth("points", Column.ragged(dev.penstock.data.ElementType.FLOAT32, 3))
                .anchors(Anchors.everyFrames(1))
                .build();
    }

    /** Makes the raw episodes where they are not there yet. */
    Episodes raw(DemoDataset.Progress progress) throws IOException, InterruptedException {
        return Episodes.open(DemoDataset.make(folder.resolve("raw"), settings, progress));
    }

    /** Materializes {@code part} under {@code name}, again if it was there: the time it takes is part of the story. */
    MaterializeReport materialize(Episodes part, String name) throws IOException, InterruptedException {
        return Materializer.of(part, view()).onlyChanged(false).replace(true).to(folder.resolve(name));
    }

    Episodes artifact(String name) throws IOException {
        return Episodes.open(folder.resolve(name));
    }

    /** The clips of {@code artifact} with the truth of {@code source} as it was: what small clips bring alone. */
    static Episodes clipsOf(Episodes artifact, Episodes source) {
        Map<String, Episode> before = new HashMap<>();
        source.episodes().forEach(episode -> before.put(episode.id(), episode));
        List<Episode> paired = artifact.episodes().stream()
                .map(episode -> {
                    Episode was = before.get(episode.id());
                    if (was == null || was.truth() == null) {
                        throw new IllegalStateException("episode " + episode.id() + " has no truth in its source");
                    }
                    return episode.truth(was.truth());
                })
                .toList();
        return Episodes.of("clips", paired);
    }
}
