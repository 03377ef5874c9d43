package dev.penstock.arrow.artifact;

import dev.penstock.decode.ViewRule;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Refuses the views that an artifact's pictures and truth can't serve. Immutable. */
final class ArtifactViewRule implements ViewRule {
    private final String place;
    private final Manifest manifest;
    private final TruthSchema truth;

    ArtifactViewRule(String place, Manifest manifest) {
        this.place = place;
        this.manifest = manifest;
        Map<String, TruthField> fields = new LinkedHashMap<>();
        for (Manifest.Entry entry : manifest.episodes()) {
            EpisodePart.TruthPart part = entry.part().truth();
            if (part != null) {
                part.fields().forEach(field -> fields.putIfAbsent(field.name(), field));
            }
        }
        this.truth = new TruthSchema(List.copyOf(fields.values()));
    }

    @Override
    public void check(View view) throws DatasetException {
        for (VideoColumn video : view.videos()) {
            PictureRule rule = camera(video.camera());
            String refused = rule.refuses(video);
            if (refused != null) {
                throw new DatasetException("artifact " + place + ", camera '" + video.camera() + "': " + refused
                        + "; open the source with this view, or materialize it again for it");
            }
        }
        if (!view.referenceCamera().isEmpty()) {
            camera(view.referenceCamera());
        }
        for (Map.Entry<String, Column> column : view.truth().entrySet()) {
            String field = column.getValue().field();
            String name = field == null ? column.getKey() : field;
            if (truth.covering(name) == null) {
                throw new DatasetException("artifact " + place + ": no truth field '" + name + "' for column '"
                        + column.getKey() + "'; it has "
                        + truth.fields().stream().map(TruthField::name).toList()
                        + "; add the field to the source's truth and materialize it again");
            }
        }
    }

    private PictureRule camera(String camera) throws DatasetException {
        PictureRule rule = manifest.pictures().get(camera);
        if (rule == null) {
            throw new DatasetException("artifact " + place + ": no camera '" + camera + "', it was made with "
                    + manifest.pictures().keySet() + "; materialize the source again with a view that has the camera");
        }
        return rule;
    }
}
