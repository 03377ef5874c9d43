package dev.penstock.bench;

import dev.penstock.BadSamples;
import dev.penstock.arrow.artifact.ArtifactCodec;
import dev.penstock.arrow.artifact.ArtifactEncoding;
import dev.penstock.arrow.artifact.MaterializePlan;
import dev.penstock.arrow.artifact.MaterializeReport;
import dev.penstock.arrow.artifact.Materializer;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock materialize}: a dataset once more, as its training view needs it. */
@Command(
        name = "materialize",
        mixinStandardHelpOptions = true,
        description = "Write a dataset as its view needs it: clips at the view's size with key frames close together,"
                + " truth as Arrow. The result opens like any dataset. Run again, it goes on where it stopped, and"
                + " writes only what is new or has changed.")
final class MaterializeCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SRC", description = "The dataset: a folder, an episodes.jsonl, or a URI.")
    String source;

    @Parameters(
            index = "1",
            paramLabel = "DST",
            description = "Where the artifact goes: an empty or new folder, or a URI.")
    String target;

    @Mixin
    DatasetOptions dataset;

    @Mixin
    ViewOptions view;

    @Option(
            names = "--codec",
            defaultValue = "H264",
            description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). RAW: uint8 frames, nothing to decode.")
    ArtifactCodec codec;

    @Option(names = "--quality", paramLabel = "1..100", description = "Smallest to best. Default: 75.")
    int quality = ArtifactEncoding.DEFAULT.quality();

    @Option(names = "--gop", paramLabel = "N", description = "A key frame every N frames. Default: 8.")
    int gop = ArtifactEncoding.DEFAULT.keyFrameDistance();

    @Option(
            names = {"--threads", "--decode"},
            paramLabel = "N",
            description = "Episodes written at the same time. Default: the machine's cores.")
    int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "2g",
            description = "Cap on off-heap memory (${DEFAULT-VALUE}).")
    String memory;

    @Option(
            names = "--on-bad",
            defaultValue = "FAIL",
            description = "An episode that can't be written whole: FAIL or SKIP (${DEFAULT-VALUE}).")
    BadSamples.Rule onBad;

    @Option(
            names = "--bad-share",
            paramLabel = "0..1",
            defaultValue = "0.01",
            description = "Most episodes that may be skipped (${DEFAULT-VALUE}).")
    double badShare;

    @Option(names = "--all", description = "Write also episodes that are there and have not changed.")
    boolean all;

    @Option(names = "--replace", description = "Replace an artifact of other pictures or another encoding.")
    boolean replace;

    @Option(
            names = "--dry-run",
            description = "Write nothing but one episode to a temporary folder; print sizes, time and what it brings.")
    boolean dryRun;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Episodes episodes = dataset.open(source);
        return dryRun ? plan(episodes) : materialize(episodes);
    }

    private int plan(Episodes episodes) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        MaterializePlan plan;
        try {
            plan = materializer(episodes).plan();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        plan.bad().forEach((id, reason) -> out.println("would be left out: " + reason));
        out.println(plan.text());
        out.flush();
        return Main.OK;
    }

    private int materialize(Episodes episodes) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress(spec.commandLine().getErr(), "frame");
        MaterializeReport report;
        try {
            report = materializer(episodes)
                    .progress((frames, allFrames, done, of) -> progress.show(frames, allFrames))
                    .to(BlobStores.uri(target));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        } finally {
            progress.clear();
        }
        report.bad().forEach((id, reason) -> out.println("left out: " + reason));
        out.println(report.text());
        out.flush();
        return Main.OK;
    }

    private Materializer materializer(Episodes episodes) throws IOException {
        return Materializer.of(episodes, view.viewOfAll(episodes))
                .codec(codec)
                .quality(quality)
                .keyFrameDistance(gop)
                .threads(threads)
                .memory(LoadOptions.bytes(memory))
                .onBad(new BadSamples(onBad, badShare, Long.MAX_VALUE, null))
                .onlyChanged(!all)
                .replace(replace);
    }
}
