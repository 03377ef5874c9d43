package dev.penstock.decode;

import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Anchors;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a view to a dataset: indexes the clips and opens the truth that the view needs, checks that every episode can
 * serve it, and finds the samples. Used once, by one thread; whatever it opened is closed when it fails.
 */
final class SourceBinder {
    private static final Logger LOG = LoggerFactory.getLogger(SourceBinder.class);

    private final Episodes dataset;
    private final View view;
    private final Problems problems;
    private final ClipFiles files;
    private final WindowRule[] rules;
    private final Map<ClipFile, ReadBound> bounds = new HashMap<>();
    private final List<BoundEpisode> bound = new ArrayList<>();
    /** The episodes without a sample, and why. */
    private final Map<Episode, String> empty = new LinkedHashMap<>();

    private long largestWindow;

    private SourceBinder(Episodes dataset, View view) {
        this.dataset = dataset;
        this.view = view;
        this.problems = new Problems(dataset.name());
        this.files = new ClipFiles(dataset.settings(), dataset.cache());
        this.rules =
                view.videos().stream().map(video -> new WindowRule(view, video)).toArray(WindowRule[]::new);
    }

    static SampleSource bind(Episodes episodes, View view) throws IOException {
        if (episodes.episodes().isEmpty()) {
            throw new DatasetException(episodes.name() + " has no episode left; check the filter");
        }
        SourceBinder binder = new SourceBinder(episodes.present(view), view);
        @Nullable EpisodeTruths truths = null;
        boolean bound = false;
        try {
            binder.readClips();
            truths = binder.openTruths();
            binder.throwIfAny();
            SampleSource source = binder.source(truths);
            bound = true;
            return source;
        } finally {
            if (!bound) {
                binder.files.close();
                if (truths != null) {
                    truths.close();
                }
            }
        }
    }

    /**
     * How many samples a view has in a dataset. An episode without one is no failure; one that can't serve the view is.
     */
    static long samples(Episodes dataset, View view) throws IOException {
        SourceBinder binder = new SourceBinder(dataset.present(view), view);
        EpisodeTruths truths = EpisodeTruths.NONE;
        try {
            binder.readClips();
            truths = binder.openTruths();
            binder.throwIfAny();
            binder.scanAll(truths);
            binder.problems.throwIfAny();
            return binder.bound.stream()
                    .mapToLong(episode -> episode.anchors().count())
                    .sum();
        } finally {
            binder.files.close();
            truths.close();
        }
    }

    private void readClips() throws IOException {
        checkCameras();
        files.read(dataset.episodes(), cameras(view), problems);
        throwIfAny();
        checkClips();
    }

    /** Throws the problems so far; absent files all together, for one fetch or one option mends them. */
    private void throwIfAny() throws IOException {
        if (!problems.isEmpty()) {
            MissingFiles.of(dataset, cameras(view), EpisodeTruths.isNeeded(view))
                    .throwIfSeveral(problems.message(), problems.cause());
        }
        problems.throwIfAny();
    }

    /** The cameras that a view needs, the reference camera first. */
    static Set<String> cameras(View view) {
        Set<String> cameras = new LinkedHashSet<>();
        if (!view.videos().isEmpty()) {
            cameras.add(view.referenceCamera());
        }
        view.videos().forEach(video -> cameras.add(video.camera()));
        return cameras;
    }

    private void checkCameras() throws DatasetException {
        for (Episode episode : dataset.episodes()) {
            for (String camera : cameras(view)) {
                if (!episode.cameras().containsKey(camera)) {
                    problems.add(
                            episode,
                            "camera '" + camera + "': the episode has no such camera, its cameras are "
                                    + episode.cameras().keySet()
                                    + "; name one of these in the view, or leave the episode out with"
                                    + " filter(e -> e.cameras().containsKey(\"" + camera + "\"))");
                    break;
                }
            }
        }
        problems.throwIfAny();
    }

    private void checkClips() throws DatasetException {
        for (Episode episode : dataset.episodes()) {
            for (String camera : cameras(view)) {
                String wrong = ClipCheck.of(view, rules, camera, clip(episode, camera), clipOfReference(episode));
                if (wrong != null) {
                    problems.add(episode, "camera '" + camera + "', " + clip(episode, camera) + ": " + wrong);
                    break;
                }
            }
        }
        problems.throwIfAny();
    }

    private CameraClip clip(Episode episode, String camera) {
        Clip clip = episode.cameras().get(camera);
        ClipFile file = clip == null ? null : files.of(clip);
        if (clip == null || file == null) {
            throw new IllegalStateException("camera " + camera + " of episode " + episode.id() + " was not checked");
        }
        return new CameraClip(clip, file);
    }

    private @Nullable CameraClip clipOfReference(Episode episode) {
        return view.videos().isEmpty() ? null : clip(episode, view.referenceCamera());
    }

    private EpisodeTruths openTruths() throws IOException {
        if (!EpisodeTruths.isNeeded(view)) {
            return EpisodeTruths.NONE;
        }
        Set<String> wanted = new LinkedHashSet<>();
        TruthColumn.of(view.truth()).forEach(column -> wanted.add(column.field()));
        String reference = view.videos().isEmpty() ? null : view.referenceCamera();
        return EpisodeTruths.open(dataset, files, reference, wanted, problems);
    }

    private void scanAll(EpisodeTruths truths) throws IOException {
        List<@Nullable TruthBinding> bindings = truths.bind(dataset, view, problems);
        problems.throwIfAny();
        for (int i = 0; i < dataset.episodes().size(); i++) {
            scan(dataset.episodes().get(i), bindings.isEmpty() ? null : bindings.get(i));
        }
    }

    private SampleSource source(EpisodeTruths truths) throws IOException {
        scanAll(truths);
        if (bound.isEmpty()) {
            empty.forEach((episode, why) -> problems.add(episode, why));
        }
        problems.throwIfAny();
        warnOfEmptyEpisodes();
        long largestRead = Math.max(largestWindow, WorkPlanner.sharedRead(files.all()));
        return new VideoSampleSource(
                dataset.name(),
                view,
                rules,
                bound,
                files.all(),
                truths,
                largestRead,
                dataset.settings().limits());
    }

    private void scan(Episode episode, @Nullable TruthBinding truth) {
        CameraClip master = clipOfReference(episode);
        CameraClip[] clips = new CameraClip[view.videos().size()];
        ReadBound[] clipBounds = new ReadBound[clips.length];
        for (int c = 0; c < clips.length; c++) {
            clips[c] = clip(episode, view.videos().get(c).camera());
            clipBounds[c] = bounds.computeIfAbsent(clips[c].file(), ReadBound::new);
        }
        AnchorScan scan = new AnchorScan(view, rules, master, clips, clipBounds, truth);
        boolean atTruth = view.anchors().at() == Anchors.At.TRUTH;
        AnchorRuns runs = atTruth || master == null ? atTruth(scan, truth) : scan.atFrames(master);
        checkRead(episode, scan.largestRead());
        largestWindow = Math.max(largestWindow, scan.largestRead());
        LOG.debug("{}, episode '{}': {} samples; {}", dataset.name(), episode.id(), runs.count(), scan.drops());
        if (runs.count() == 0) {
            empty.put(episode, whyEmpty(scan, clips));
        } else {
            bound.add(new BoundEpisode(episode.id(), master, clips, truth, runs, atTruth));
        }
    }

    private static AnchorRuns atTruth(AnchorScan scan, @Nullable TruthBinding truth) {
        TruthTable timed = truth == null ? null : truth.truth().timed();
        return timed == null ? scan.atTruth(0, i -> 0) : scan.atTruth(timed.records(), timed::timeOf);
    }

    private void checkRead(Episode episode, long largest) {
        long limit = dataset.settings().limits().maxWindowBytes();
        if (largest > limit) {
            problems.add(
                    episode,
                    "a window of it reads up to " + largest + " bytes, the limit is " + limit
                            + "; re-encode its clips with key frames closer together, or raise maxWindowBytes");
        }
    }

    private String whyEmpty(AnchorScan scan, CameraClip[] clips) {
        AnchorScan.Drops drops = scan.drops();
        int worst = drops.worstColumn();
        if (worst >= 0) {
            CameraClip clip = clips[worst];
            VideoColumn video = view.videos().get(worst);
            String where = "camera '" + video.camera() + "', " + clip + ": no sample, because ";
            String frames = "its frames are at " + clip.secondsOf(clip.first()) + " to "
                    + clip.secondsOf(clip.end() - 1) + " s of the episode";
            return drops.pastEnd(worst) >= drops.gap(worst)
                    ? where + "every window of " + video.window().length() + " frames reaches past the clip's ends ("
                            + frames + ") under the edge rule DROP; use a shorter window or edges CLAMP, or correct the"
                            + " cameras' clocks ('from' in the index)"
                    : where + "at no anchor all frames of the window lie within " + view.tolerance()
                            + " s of their instants (" + frames + "); correct the cameras' clocks ('from' in the"
                            + " index) or raise the view's tolerance";
        }
        if (drops.outsideReference() > 0) {
            return "camera '" + view.referenceCamera() + "': no sample, because no truth record lies within the clip's"
                    + " time; check that truth and camera share a clock ('from' in the index)";
        }
        return drops.withoutTruth() > 0
                ? "truth: no sample, because no anchor has truth within the tolerance (" + drops.firstLack()
                        + "); check that truth and cameras share a clock, or raise the tolerance"
                : "no sample, because there is no anchor: "
                        + (view.anchors().at() == Anchors.At.TRUTH
                                ? "its truth has no record with a time"
                                : "the reference camera has no frame");
    }

    private void warnOfEmptyEpisodes() {
        if (!empty.isEmpty()) {
            Map.Entry<Episode, String> first = empty.entrySet().iterator().next();
            LOG.warn(
                    "{}: {} of {} episodes have no sample under the view and are left out; the first is '{}': {}",
                    dataset.name(),
                    empty.size(),
                    dataset.episodes().size(),
                    first.getKey().id(),
                    first.getValue());
        }
    }
}
