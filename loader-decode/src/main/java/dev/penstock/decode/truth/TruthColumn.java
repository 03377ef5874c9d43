package dev.penstock.decode.truth;

import dev.penstock.data.TensorSpec;
import dev.penstock.view.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A truth column with its tensor's name. Immutable.
 *
 * @param tensor name of the tensor
 * @param column what it takes
 */
public record TruthColumn(String tensor, Column column) {

    /** The field that it reads. */
    public String field() {
        String field = column.field();
        return field == null ? tensor : field;
    }

    /** The columns of a view's truth, in order. */
    public static List<TruthColumn> of(Map<String, Column> truth) {
        List<TruthColumn> columns = new ArrayList<>(truth.size());
        truth.forEach((name, column) -> columns.add(new TruthColumn(name, column)));
        return List.copyOf(columns);
    }

    boolean isDense() {
        return column.kind() == TensorSpec.Kind.DENSE;
    }

    /** The number of instants that one sample takes. */
    int slots() {
        return column.window() == null ? 1 : column.window().length();
    }

    /** Bytes of one value (dense) or one row (ragged, text). */
    int valueBytes() {
        int bytes = column.type().bytes();
        for (int extent : column.shape()) {
            bytes *= extent;
        }
        return bytes;
    }
}
