package dev.penstock.bench;

import dev.penstock.decode.VideoFrame;
import dev.penstock.decode.VideoFrames;
import dev.penstock.decode.VideoReader;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock frames}: decodes single frames of a clip, to check them against another decoder or to look at them. */
@Command(
        name = "frames",
        mixinStandardHelpOptions = true,
        description =
                "Decode frames of a clip and print one line for each: index, pts, seconds, mean colours; or write PNGs.")
final class FramesCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "CLIP", description = "A video file or URI.")
    String clip;

    @Mixin
    StorageOptions storage;

    /** Which frames: one of three ways. */
    static final class Which {
        @Option(names = "--index", split = ",", paramLabel = "N", description = "Frame numbers, from 0.")
        int @Nullable [] indices;

        @Option(
                names = "--at",
                split = ",",
                paramLabel = "SECONDS",
                description = "The frames on screen at these times.")
        double @Nullable [] times;

        @Option(names = "--all", description = "Every frame.")
        boolean all;
    }

    @ArgGroup
    @Nullable
    Which which;

    @Option(names = "--stream", paramLabel = "N", description = "The container's stream. Default: FFmpeg's best one.")
    @Nullable
    Integer stream;

    @Option(names = "--rotate", description = "Turn and mirror the frames as the clip says.")
    boolean rotate;

    @Option(names = "--json", description = "One JSON object a line instead of columns.")
    boolean json;

    @Option(names = "--png", paramLabel = "DIR", description = "Write each frame as a PNG into this folder.")
    @Nullable
    Path png;

    @Option(names = "--size", paramLabel = "WxH", description = "Scale the frames. Default: their own size.")
    @Nullable
    String size;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        storage.register();
        VideoReader.Builder builder = VideoReader.builder(BlobStores.uri(clip)).rotate(rotate);
        if (stream != null) {
            builder.stream(stream);
        }
        if (size != null) {
            builder.size(dev.penstock.view.Size.parse(size));
        }
        try (VideoReader reader = builder.open()) {
            for (VideoFrame frame : wanted(reader)) {
                out.println(
                        json
                                ? FrameFacts.of(frame).json()
                                : FrameFacts.of(frame).line());
                if (png != null) {
                    Pngs.write(frame, png);
                }
            }
        }
        out.flush();
        return Main.OK;
    }

    private VideoFrames wanted(VideoReader reader) throws IOException {
        Which chosen = which == null ? new Which() : which;
        if (chosen.indices != null) {
            for (int index : chosen.indices) {
                if (index < 0 || index >= reader.frameCount()) {
                    throw new IllegalArgumentException(
                            clip + " has frames 0 to " + (reader.frameCount() - 1) + ", there is no frame " + index);
                }
            }
            return reader.frames(chosen.indices);
        }
        if (chosen.times != null) {
            return reader.framesAt(chosen.times);
        }
        return chosen.all ? reader.all() : reader.frames(some(reader.frameCount()));
    }

    /** Eight frames spread over the clip, for a first look. */
    private static int[] some(int count) {
        List<Integer> picked = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int frame = (int) ((long) i * (count - 1) / 7);
            if (picked.isEmpty() || picked.get(picked.size() - 1) != frame) {
                picked.add(frame);
            }
        }
        return picked.stream().mapToInt(Integer::intValue).toArray();
    }
}
