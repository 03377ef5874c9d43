package dev.penstock.arrow.artifact;

import dev.penstock.BadSamples;
import dev.penstock.decode.Episodes;
import dev.penstock.view.View;
import java.util.List;
import java.util.Map;

/** What a {@link Materializer} was told, checked. */
record MaterializeSettings(
        Episodes dataset,
        View view,
        Map<String, PictureRule> rules,
        ArtifactEncoding encoding,
        int threads,
        long memory,
        BadSamples onBad,
        boolean onlyChanged,
        boolean replace,
        MaterializeProgress progress) {

    /** Of the layout inside a part; with it old parts are made anew. */
    private static final String PARTS = "1";

    /** What makes an artifact's pictures: parts of the same key and source are the same. */
    String key() {
        return Digests.of(
                List.of(PARTS, Manifest.JSON.writeValueAsString(rules), Manifest.JSON.writeValueAsString(encoding)));
    }
}
