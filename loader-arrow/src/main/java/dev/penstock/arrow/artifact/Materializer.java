package dev.penstock.arrow.artifact;

import dev.penstock.BadSamples;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.View;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Moves work out of training: writes a dataset once more as its training view needs it, clips at the view's size with
 * key frames close together and truth as Arrow columns. The result, an artifact, opens like any other dataset:
 *
 * <pre>{@code
 * Materializer.of(drives, view).codec(ArtifactCodec.H264).keyFrameDistance(8).to(Path.of("/nvme/drives-224"));
 * Episodes small = Episodes.open(Path.of("/nvme/drives-224"));       // same view, same samples, same truth
 * }</pre>
 *
 * <p>Every clip is decoded once, from start to end, scaled as the loader does it and encoded again with the times of its
 * frames unchanged. Samples and truth are those of the source; pixels differ by the codec's loss, which the manifest
 * states. Other windows, strides, anchors, layouts and element types can be had from the artifact too; larger pictures or
 * other cameras can't.
 *
 * <p>Episodes are written side by side, each in a folder of its own that appears when it is whole. A run that was killed
 * is taken up by the next one; what is done is not done again; a run over a finished artifact writes only episodes that
 * are new or have changed, and takes out those that are gone. The source is only read.
 *
 * <p>A builder: not thread-safe. All wrong settings are told at once.
 */
public final class Materializer {
    private static final long LEAST_MEMORY = 16L << 20;
    private static final long DEFAULT_MEMORY = 2L << 30;

    private final Episodes dataset;
    private final View view;
    private ArtifactCodec codec = ArtifactEncoding.DEFAULT.codec();
    private int quality = ArtifactEncoding.DEFAULT.quality();
    private int keyFrameDistance = ArtifactEncoding.DEFAULT.keyFrameDistance();
    private int threads = Runtime.getRuntime().availableProcessors();
    private long memory = DEFAULT_MEMORY;
    private BadSamples onBad = BadSamples.FAIL;
    private boolean onlyChanged = true;
    private boolean replace;
    private MaterializeProgress progress = MaterializeProgress.NONE;

    private Materializer(Episodes dataset, View view) {
        this.dataset = Objects.requireNonNull(dataset, "dataset");
        this.view = Objects.requireNonNull(view, "view");
    }

    /** Begins with the defaults: H.264, quality 75, a key frame every 8 frames, a thread for each core, 2 GiB. */
    public static Materializer of(Episodes dataset, View view) {
        return new Materializer(dataset, view);
    }

    /** What clips are written in. */
    public Materializer codec(ArtifactCodec value) {
        codec = Objects.requireNonNull(value, "codec");
        return this;
    }

    /** 1 (smallest) to 100 (best). */
    public Materializer quality(int value) {
        quality = value;
        return this;
    }

    /** A key frame every so many frames: about half a window is a good choice. */
    public Materializer keyFrameDistance(int frames) {
        keyFrameDistance = frames;
        return this;
    }

    /** How many episodes are written at the same time. */
    public Materializer threads(int count) {
        threads = count;
        return this;
    }

    /** Cap on off-heap memory in bytes; episodes wait for one another where it is short. */
    public Materializer memory(long bytes) {
        memory = bytes;
        return this;
    }

    /**
     * What happens to an episode that can't be written whole: {@link BadSamples#FAIL} (the default) or
     * {@link BadSamples#skip()}, whose budget counts episodes here. Left-out episodes are listed in the manifest.
     */
    public Materializer onBad(BadSamples rule) {
        onBad = Objects.requireNonNull(rule, "onBad");
        return this;
    }

    /** Whether episodes that are there and have not changed are kept; true unless set. */
    public Materializer onlyChanged(boolean value) {
        onlyChanged = value;
        return this;
    }

    /** Whether an artifact of other pictures or another encoding may be replaced; false unless set. */
    public Materializer replace(boolean value) {
        replace = value;
        return this;
    }

    /** Who hears how far it is. */
    public Materializer progress(MaterializeProgress listener) {
        progress = Objects.requireNonNull(listener, "progress");
        return this;
    }

    /** Writes the artifact into a folder of this machine; see {@link #to(URI)}. */
    public MaterializeReport to(Path folder) throws IOException, InterruptedException {
        return to(folder.toAbsolutePath().normalize().toUri());
    }

    /**
     * Writes the artifact. Returns when it is whole.
     *
     * @param target a folder or a place that a blob store reaches: absent, empty, or an artifact of the same pictures
     * @throws IllegalArgumentException when settings are wrong; the message has all of them
     * @throws DatasetException when an episode can't be written and the rule for bad ones is to fail, when the target is
     *     something else, or the disk is too small; the message says which and what to do
     * @throws IOException when something can't be read or written; what is done stays done
     * @throws InterruptedException when the thread was interrupted; what is done stays done
     */
    public MaterializeReport to(URI target) throws IOException, InterruptedException {
        MaterializeSettings settings = settings();
        refuseSourceAsTarget(target);
        try (ArtifactTarget place = ArtifactTarget.of(target)) {
            return new MaterializeRun(settings, place, readable(target)).run();
        }
    }

    /**
     * Looks at everything and writes one episode, the shortest, into a temporary folder to measure it: what the work will
     * take and bring. The target is not touched.
     *
     * @throws DatasetException when episodes are bad and the rule for them is to fail
     */
    public MaterializePlan plan() throws IOException, InterruptedException {
        return DryRun.of(settings());
    }

    private void refuseSourceAsTarget(URI target) {
        URI source = dataset.place();
        String there = target.normalize().toString().replaceAll("/+$", "");
        if (source != null
                && source.normalize().toString().replaceAll("/+$", "").equals(there)) {
            throw new IllegalArgumentException("target " + readable(target) + " is the source; give another place");
        }
    }

    private static String readable(URI uri) {
        return "file".equals(uri.getScheme()) ? uri.getPath() : uri.toString();
    }

    MaterializeSettings settings() throws IOException {
        List<String> wrong = new ArrayList<>(ArtifactEncoding.wrong(codec, quality, keyFrameDistance));
        if (threads < 1) {
            wrong.add("threads was " + threads + ", must be at least 1");
        }
        if (memory < LEAST_MEMORY) {
            wrong.add("memory was " + memory + " bytes, must be at least " + LEAST_MEMORY);
        }
        if (onBad.rule() == BadSamples.Rule.SUBSTITUTE) {
            wrong.add("onBad was SUBSTITUTE, must be FAIL or SKIP: nothing can stand for an episode");
        }
        Map<String, PictureRule> rules = Map.of();
        try {
            rules = PictureRule.of(view);
            rules.forEach((camera, rule) -> {
                String refused = codec == ArtifactCodec.HEVC ? null : codec.refuses(rule.size());
                if (refused != null) {
                    wrong.add("camera '" + camera + "': " + refused);
                }
            });
        } catch (IllegalArgumentException e) {
            wrong.add(String.valueOf(e.getMessage()));
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("materializer settings: " + String.join("; ", wrong));
        }
        return new MaterializeSettings(
                dataset.present(view),
                view,
                rules,
                new ArtifactEncoding(codec, quality, keyFrameDistance),
                threads,
                memory,
                onBad,
                onlyChanged,
                replace,
                progress);
    }
}
