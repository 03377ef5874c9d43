package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import dev.penstock.view.Window;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The truth columns of a view on one episode's truth, checked against its schema. Immutable; thread-safe. */
public final class TruthBinding {
    private final EpisodeTruth truth;
    private final List<TruthColumn> columns;
    private final TruthTable[] tables;
    private final double[] tolerances;

    private TruthBinding(EpisodeTruth truth, List<TruthColumn> columns, TruthTable[] tables, double[] tolerances) {
        this.truth = truth;
        this.columns = columns;
        this.tables = tables;
        this.tolerances = tolerances;
    }

    /**
     * Binds a view's columns.
     *
     * @param tolerance the view's tolerance in seconds, for columns without their own
     * @throws DatasetException when a field is absent or can't fill its column; names episode, file, field and, for
     *     values that don't go together, the line
     */
    public static TruthBinding of(EpisodeTruth truth, List<TruthColumn> columns, double tolerance)
            throws DatasetException {
        TruthTable[] tables = new TruthTable[columns.size()];
        double[] tolerances = new double[columns.size()];
        for (int i = 0; i < tables.length; i++) {
            TruthColumn column = columns.get(i);
            tables[i] = tableFor(truth, column);
            Double own = column.column().tolerance();
            tolerances[i] = own == null ? tolerance : own;
        }
        return new TruthBinding(truth, List.copyOf(columns), tables, tolerances);
    }

    private static TruthTable tableFor(EpisodeTruth truth, TruthColumn column) throws DatasetException {
        TruthTable table = truth.tableOf(column.field());
        TruthField field = table == null ? null : table.schema().covering(column.field());
        if (table == null || field == null) {
            throw new DatasetException("episode '" + truth.episode() + "', truth "
                    + (truth.tables().isEmpty() ? "" : truth.tables().get(0).where()) + ": no field '"
                    + column.field() + "' for column '" + column.tensor() + "'; there are "
                    + truth.schema().fields().stream().map(TruthField::name).toList());
        }
        String refusal = field.refuses(column.column());
        if (refusal != null) {
            String problem = table.problem(field.name());
            throw new DatasetException("episode '" + truth.episode() + "', truth " + table.where() + ": field '"
                    + field.name() + "' holds " + field.describe() + ", column '" + column.tensor()
                    + "' can't take it: "
                    + refusal + (problem == null ? "" : " (" + problem + ")"));
        }
        return table;
    }

    /** The episode's truth. */
    public EpisodeTruth truth() {
        return truth;
    }

    /** The columns, in the view's order. */
    public List<TruthColumn> columns() {
        return columns;
    }

    /**
     * Why some column has no value for an anchor, or null when all have one.
     *
     * @param anchor seconds on the episode's clock
     * @param frameSeconds seconds of the frame so many frames from the anchor's, NaN where there is none; asked for
     *     windows by frame only
     */
    public @Nullable String lacks(double anchor, IntToDoubleFunction frameSeconds) {
        RecordPick pick = new RecordPick();
        for (int i = 0; i < tables.length; i++) {
            TruthColumn column = columns.get(i);
            Column.Pick rule = column.column().pick();
            for (int slot = 0; slot < column.slots(); slot++) {
                double instant = instant(column, slot, anchor, frameSeconds);
                if (!pick.find(tables[i], rule, tolerances[i], instant)) {
                    return "column '" + column.tensor() + "': "
                            + RecordPick.why(tables[i], rule, tolerances[i], instant);
                }
            }
        }
        return null;
    }

    private static double instant(TruthColumn column, int slot, double anchor, IntToDoubleFunction frameSeconds) {
        Window window = column.column().window();
        if (window == null) {
            return anchor;
        }
        return window.byTime()
                ? anchor + window.seconds().get(slot)
                : frameSeconds.applyAsDouble(window.frames().get(slot));
    }

    TruthTable table(int column) {
        return tables[column];
    }

    double tolerance(int column) {
        return tolerances[column];
    }
}
