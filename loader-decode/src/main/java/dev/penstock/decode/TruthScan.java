package dev.penstock.decode;

import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.FieldValues;
import dev.penstock.decode.truth.SchemaInference;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Makes a {@link TruthSummary}: opens one episode's truth after another. Used once, by one thread. */
final class TruthScan {
    private final Episodes dataset;
    private final SchemaInference inference = new SchemaInference();
    private final FieldValues values = new FieldValues();
    private int withTruth;

    private TruthScan(Episodes dataset) {
        this.dataset = dataset;
    }

    static TruthSummary read(Episodes episodes) throws IOException {
        Episodes dataset = episodes.isMissingAllowed()
                ? MissingFiles.of(episodes, null, true).reduced()
                : episodes;
        TruthScan scan = new TruthScan(dataset);
        for (Episode episode : dataset.episodes()) {
            TruthReference truth = episode.truth();
            if (truth != null) {
                scan.add(episode, truth);
            }
        }
        return scan.summary();
    }

    private void add(Episode episode, TruthReference reference) throws IOException {
        TruthInput input = EpisodeTruths.input(episode, reference).frames(() -> frames(episode));
        try (EpisodeTruth truth = TruthTables.open(input)) {
            withTruth++;
            inference.add(truth);
            values.add(truth);
        } catch (IOException e) {
            MissingFiles.of(dataset, Set.of(), true).throwIfSeveral(String.valueOf(e.getMessage()), e);
            throw e;
        }
    }

    /** The times that records keyed by frame stand at; only asked for when there are such. */
    private double[] frames(Episode episode) throws IOException {
        ClipFiles files = new ClipFiles(dataset.settings(), dataset.cache());
        try {
            Problems problems = new Problems(dataset.name());
            files.read(List.of(episode), null, problems);
            problems.throwIfAny();
            CameraClip clip = files.clip(episode, null);
            if (clip == null) {
                throw new DatasetException("episode '" + episode.id()
                        + "': its truth is keyed by frame, but it has no camera to take the frames' times from");
            }
            return clip.allSeconds();
        } finally {
            files.close();
        }
    }

    private TruthSummary summary() {
        TruthSchema schema = inference.schema();
        List<TruthSummary.Field> fields = new ArrayList<>();
        values.fields().forEach((name, seen) -> {
            TruthField field = schema.field(name);
            fields.add(new TruthSummary.Field(
                    name,
                    field == null ? "unknown" : field.describe(),
                    seen.form().name().toLowerCase(Locale.ROOT),
                    seen.records(),
                    seen.missing(),
                    seen.notFinite(),
                    seen.least(),
                    seen.greatest(),
                    seen.most() < 0 ? null : Integer.valueOf(seen.fewest()),
                    seen.most() < 0 ? null : Integer.valueOf(seen.most())));
        });
        return new TruthSummary(dataset.name(), dataset.episodes().size(), withTruth, List.copyOf(fields), schema);
    }
}
