package dev.penstock.decode;

import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Anchors;
import dev.penstock.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The opened truth of a dataset's episodes, by position in the dataset; null for an episode without. Its list never
 * changes; closing it closes every truth.
 */
final class EpisodeTruths implements AutoCloseable {
    /** Of a view that takes none. */
    static final EpisodeTruths NONE = new EpisodeTruths(List.of());

    private final List<@Nullable EpisodeTruth> truths;

    private EpisodeTruths(List<@Nullable EpisodeTruth> truths) {
        this.truths = truths;
    }

    /** Whether a view takes truth, for its columns or its anchors. */
    static boolean isNeeded(View view) {
        return !view.truth().isEmpty() || view.anchors().at() == Anchors.At.TRUTH;
    }

    /**
     * Opens the truth of every episode. What can't be opened is told to {@code problems}.
     *
     * @param reference the camera that frame numbers in the truth count; null: each episode's first
     * @param wanted the fields that will be read; null: all
     */
    static EpisodeTruths open(
            Episodes dataset,
            ClipFiles files,
            @Nullable String reference,
            @Nullable Set<String> wanted,
            Problems problems)
            throws IOException {
        SchemaFiles schemas = new SchemaFiles(dataset.truthSchema());
        List<Callable<@Nullable EpisodeTruth>> tasks = new ArrayList<>();
        for (Episode episode : dataset.episodes()) {
            tasks.add(() -> open(episode, files, reference, wanted, schemas));
        }
        List<IndexPool.Outcome<@Nullable EpisodeTruth>> outcomes =
                new IndexPool(dataset.settings().indexThreads()).run(tasks);
        List<@Nullable EpisodeTruth> opened = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            IOException failure = outcomes.get(i).failure();
            if (failure != null) {
                problems.add(dataset.episodes().get(i), String.valueOf(failure.getMessage()), failure);
            }
            opened.add(outcomes.get(i).value());
        }
        return new EpisodeTruths(opened);
    }

    /** The truth of one episode, or null where it has none. */
    static @Nullable EpisodeTruth open(
            Episode episode,
            ClipFiles files,
            @Nullable String reference,
            @Nullable Set<String> wanted,
            SchemaFiles schemas)
            throws IOException {
        TruthReference truth = episode.truth();
        if (truth == null) {
            return null;
        }
        TruthInput input = input(episode, truth).wanted(wanted).schema(schemas.of(truth));
        CameraClip clip = files.clip(episode, reference);
        return TruthTables.open(clip == null ? input : input.frames(clip::allSeconds));
    }

    /** An episode's truth as its format opens it. */
    static TruthInput input(Episode episode, TruthReference truth) {
        return new TruthInput(episode.id(), truth.uri(), truth.inline(), truth.where(), truth.options(), null, null);
    }

    /** Binds a view's columns to each truth; null for an episode without. What does not fit is told to problems. */
    List<@Nullable TruthBinding> bind(Episodes dataset, View view, Problems problems) {
        List<TruthColumn> columns = TruthColumn.of(view.truth());
        List<@Nullable TruthBinding> bindings = new ArrayList<>();
        for (int i = 0; i < truths.size(); i++) {
            EpisodeTruth truth = truths.get(i);
            Episode episode = dataset.episodes().get(i);
            TruthBinding binding = null;
            if (truth == null) {
                problems.add(
                        episode,
                        "truth: the episode has none, the view needs it for "
                                + (view.truth().isEmpty()
                                        ? "its anchors"
                                        : view.truth().keySet())
                                + "; add 'truth' to the index, or leave the episode out with"
                                + " filter(e -> e.truth() != null)");
            } else {
                try {
                    binding = TruthBinding.of(truth, columns, view.tolerance());
                } catch (DatasetException e) {
                    problems.add(episode, String.valueOf(e.getMessage()), e);
                }
            }
            bindings.add(binding);
        }
        return bindings;
    }

    @Nullable
    EpisodeTruth of(int episode) {
        return truths.get(episode);
    }

    /** Those that are there. */
    List<EpisodeTruth> present() {
        List<EpisodeTruth> present = new ArrayList<>();
        for (EpisodeTruth truth : truths) {
            if (truth != null) {
                present.add(truth);
            }
        }
        return present;
    }

    @Override
    public void close() {
        present().forEach(EpisodeTruth::close);
    }
}
