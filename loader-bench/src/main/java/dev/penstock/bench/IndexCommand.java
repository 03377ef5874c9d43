package dev.penstock.bench;

import dev.penstock.decode.VideoReader;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock index}: the packet table that windows are planned from. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description =
                "Print a clip's packet table: times, offsets, sizes, key / disposable / discarded, and the frame of each.")
final class IndexCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "CLIP", description = "A video file or URI.")
    String clip;

    @Mixin
    StorageOptions storage;

    @Option(names = "--stream", paramLabel = "N", description = "The container's stream. Default: FFmpeg's best one.")
    @Nullable
    Integer stream;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        storage.register();
        VideoReader.Builder builder = VideoReader.builder(BlobStores.uri(clip));
        if (stream != null) {
            builder.stream(stream);
        }
        try (VideoReader reader = builder.open()) {
            print(reader.index(), out);
        }
        out.flush();
        return Main.OK;
    }

    private static void print(ClipIndex index, PrintWriter out) {
        PacketTable packets = index.packets();
        out.printf(
                Locale.ROOT,
                "# %s, %d frames in %d packets, %.3f s from %.3f s, key distance %d, reorder depth %d, read by %s%s%n",
                index.format(),
                index.frameCount(),
                packets.count(),
                index.durationSeconds(),
                index.startSeconds(),
                index.longestKeyDistance(),
                index.reorderDepth(),
                index.access().toString().toLowerCase(Locale.ROOT),
                index.truncated() ? ", TRUNCATED" : "");
        out.println(
                "# packet  frame           pts           dts       offset     size  flags (K key, D disposable, X discarded)");
        for (int p = 0; p < packets.count(); p++) {
            out.printf(
                    Locale.ROOT,
                    "%8d %6s %13s %13s %12d %8d  %s%s%s%n",
                    p,
                    index.frameOf(p) < 0 ? "-" : String.valueOf(index.frameOf(p)),
                    time(packets.pts(p)),
                    time(packets.dts(p)),
                    packets.pos(p),
                    packets.size(p),
                    packets.is(PacketTable.KEY, p) ? "K" : "",
                    packets.is(PacketTable.DISPOSABLE, p) ? "D" : "",
                    packets.is(PacketTable.DISCARD, p) ? "X" : "");
        }
    }

    private static String time(long ticks) {
        return ticks == PacketTable.NO_TIME ? "-" : String.valueOf(ticks);
    }
}
