package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All ground truth of one episode: one table or several (records, other named lists, constants). Thread-safe until
 * {@link #close()}.
 */
public final class EpisodeTruth implements AutoCloseable {
    private final String episode;
    private final List<TruthTable> tables;
    private final Map<String, TruthTable> byField = new HashMap<>();

    /**
     * @param tables the episode's tables; closed with this
     * @throws DatasetException when two tables have a field of one name
     */
    public EpisodeTruth(String episode, List<? extends TruthTable> tables) throws DatasetException {
        this.episode = episode;
        this.tables = List.copyOf(tables);
        for (TruthTable table : tables) {
            for (TruthField field : table.schema().fields()) {
                TruthTable other = byField.putIfAbsent(field.name(), table);
                if (other != null) {
                    throw new DatasetException("episode '" + episode + "': field '" + field.name() + "' stands in "
                            + other.where() + " and in " + table.where() + "; rename one of the two");
                }
            }
        }
    }

    /** The episode's id. */
    public String episode() {
        return episode;
    }

    /** The tables. */
    public List<TruthTable> tables() {
        return tables;
    }

    /** The table whose records are anchors: the first with times; null where all is constant. */
    public @Nullable TruthTable timed() {
        for (TruthTable table : tables) {
            if (!table.constant()) {
                return table;
            }
        }
        return null;
    }

    /** The table that has a field, or null. */
    public @Nullable TruthTable tableOf(String field) {
        TruthTable table = byField.get(field);
        for (int i = 0; table == null && i < tables.size(); i++) {
            table = tables.get(i).schema().covers(field) ? tables.get(i) : null;
        }
        return table;
    }

    /** All fields of all tables. */
    public TruthSchema schema() {
        List<TruthField> fields = new ArrayList<>();
        tables.forEach(table -> fields.addAll(table.schema().fields()));
        return new TruthSchema(fields);
    }

    /** Changes when the content of any table does. */
    public String identity() {
        StringBuilder text = new StringBuilder();
        Set<String> seen = new HashSet<>();
        for (TruthTable table : tables) {
            if (seen.add(table.identity())) {
                text.append(table.identity()).append(' ');
            }
        }
        return text.toString().trim();
    }

    @Override
    public void close() {
        tables.forEach(TruthTable::close);
    }
}
