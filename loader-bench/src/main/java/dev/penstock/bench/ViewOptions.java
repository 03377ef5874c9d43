package dev.penstock.bench;

import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.view.Anchors;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The view on the command line: flags for one shape of window over one or several cameras, or a JSON file. */
final class ViewOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(
            names = "--view",
            paramLabel = "FILE",
            description = "A whole view as JSON (several windows, truth columns) instead of the flags below.")
    @Nullable
    Path file;

    @Option(
            names = "--camera",
            paramLabel = "NAME",
            description = "A camera; may be given several times. Default: the dataset's only camera.")
    List<String> cameras = new ArrayList<>();

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "16",
            description = "Frames in a window (${DEFAULT-VALUE}).")
    int frames;

    @Option(
            names = "--every",
            paramLabel = "K",
            defaultValue = "1",
            description = "Frames from one to the next (${DEFAULT-VALUE}).")
    int every;

    @Option(
            names = "--size",
            paramLabel = "WxH",
            defaultValue = "224x224",
            description = "Size of a frame (${DEFAULT-VALUE}).")
    String size;

    @Option(
            names = "--anchor-every",
            paramLabel = "K",
            description = "A sample at each k-th frame. Default: windows side by side.")
    @Nullable
    Integer anchorEvery;

    @Option(names = "--layout", defaultValue = "THWC", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    Layout layout;

    @Option(names = "--float32", description = "float32 in 0 to 1 instead of uint8.")
    boolean float32;

    @Option(names = "--resize", defaultValue = "STRETCH", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    Resize resize;

    @Option(names = "--filter", defaultValue = "BILINEAR", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    Filter filter;

    @Option(
            names = "--full-chroma",
            description = "Colour of 4:2:0 clips interpolated to every pixel, at about twice the cost of scaling.")
    boolean fullChroma;

    @Option(
            names = "--edges",
            defaultValue = "DROP",
            description = "Windows past a clip's ends: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    EdgeRule edges;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The truth columns of this group of the dataset's truth schema; may be given several times.")
    List<String> groups = new ArrayList<>();

    @Option(
            names = "--tolerance",
            paramLabel = "SECONDS",
            defaultValue = "0.05",
            description = "Farthest skew of another camera (${DEFAULT-VALUE}).")
    double tolerance;

    /** The view; {@code episodes} name the camera where no flag does. */
    View view(@Nullable Episodes episodes) throws IOException {
        if (file != null) {
            return fromFile(file);
        }
        return view(cameras.isEmpty() ? List.of(onlyCamera(episodes)) : cameras, episodes);
    }

    /** The view; of all cameras of {@code episodes} where no flag names one. */
    View viewOfAll(Episodes episodes) throws IOException {
        if (file != null) {
            return fromFile(file);
        }
        return view(cameras.isEmpty() ? List.copyOf(names(episodes)) : cameras, episodes);
    }

    private View view(List<String> chosen, @Nullable Episodes episodes) {
        try {
            View.Builder view = View.builder().edges(edges).tolerance(tolerance);
            Window window = Window.frames(frames).every(every);
            for (String camera : chosen) {
                VideoColumn column = VideoColumn.of(camera, window, Size.parse(size))
                        .layout(layout)
                        .resize(resize)
                        .filter(filter)
                        .fullChroma(fullChroma);
                view.video(float32 ? column.float32() : column);
            }
            for (String group : groups) {
                view.truth(schema(episodes).columns(group));
            }
            return view.anchors(
                            Anchors.everyFrames(anchorEvery == null ? Math.multiplyExact(frames, every) : anchorEvery))
                    .build();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage(), e);
        }
    }

    private TruthSchema schema(@Nullable Episodes episodes) {
        TruthSchema schema = episodes == null ? null : episodes.truthSchema();
        if (schema == null) {
            throw wrong(
                    "--group needs a dataset with a truth schema: write one with inspect --truth --schema "
                            + Episodes.SCHEMA + ", name groups in it, and put it into the dataset's folder",
                    null);
        }
        return schema;
    }

    private View fromFile(Path path) throws IOException {
        try {
            return View.fromJson(Files.readString(path));
        } catch (java.nio.file.NoSuchFileException e) {
            throw wrong("--view: " + path + " does not exist", e);
        } catch (IllegalArgumentException e) {
            throw wrong("--view: " + path + ": " + e.getMessage(), e);
        }
    }

    private String onlyCamera(@Nullable Episodes episodes) {
        if (episodes == null) {
            throw wrong("say which camera with --camera NAME", null);
        }
        SortedSet<String> names = names(episodes);
        if (names.size() != 1) {
            throw wrong("the dataset has the cameras " + names + "; say which with --camera NAME", null);
        }
        return names.first();
    }

    private static SortedSet<String> names(Episodes episodes) {
        SortedSet<String> names = new TreeSet<>();
        for (Episode episode : episodes.episodes()) {
            names.addAll(episode.cameras().keySet());
        }
        return names;
    }

    private ParameterException wrong(@Nullable String message, @Nullable Throwable cause) {
        CommandLine line = command.commandLine();
        return cause == null
                ? new ParameterException(line, String.valueOf(message))
                : new ParameterException(line, String.valueOf(message), cause);
    }
}
