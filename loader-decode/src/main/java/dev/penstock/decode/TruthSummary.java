package dev.penstock.decode;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.decode.truth.TruthSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the ground truth of a dataset holds, over all its records: for {@code inspect --truth}. Immutable.
 *
 * @param dataset its address
 * @param episodes number of episodes
 * @param episodesWithTruth how many have truth
 * @param fields in the order in which they were seen
 * @param schema that all episodes fulfil: write it to a file to hold later recordings against it
 */
public record TruthSummary(
        String dataset, int episodes, int episodesWithTruth, List<Field> fields, TruthSchema schema) {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * One field.
     *
     * @param name dotted name
     * @param holds its type and shape: {@code float64[3]}, {@code rows of int64[4]}
     * @param per what a record holds for: {@code frame}, {@code time} or {@code episode}
     * @param records that could have it, in all episodes with such records
     * @param missing records without it, or with null
     * @param notFinite numbers that are NaN or infinite
     * @param least of its finite numbers; null where there is none
     * @param greatest of its finite numbers
     * @param fewest rows of a record, or bytes of a text; null for fixed shapes
     * @param most rows of a record, or bytes of a text
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Field(
            String name,
            String holds,
            String per,
            long records,
            long missing,
            long notFinite,
            @Nullable Number least,
            @Nullable Number greatest,
            @Nullable Integer fewest,
            @Nullable Integer most) {}

    /** As JSON. */
    public String toJson() {
        return JSON.writeValueAsString(this);
    }
}
