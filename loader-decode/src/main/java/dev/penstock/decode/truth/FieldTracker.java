package dev.penstock.decode.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of one key of JSON records: the types of its values, their shape, and the keys below it. One thread.
 *
 * <p>Shapes are merged over all records: an extent that was not always the same varies. The methods that take a value
 * return what is wrong with it beside the earlier ones, or null.
 */
final class FieldTracker {
    private static final int MOST_DIMENSIONS = 8;
    private static final int VARIES = -1;
    private static final int UNSEEN = -2;

    /** The dotted name of the field that the key is. */
    final String name;
    /** The keys of objects below this key. */
    final Map<String, FieldTracker> children = new LinkedHashMap<>();
    /** What a schema says of it, or null. */
    final @Nullable TruthField expected;
    /** The key above it; null at the top. */
    final @Nullable FieldTracker parent;

    private final int[] extents = new int[MOST_DIMENSIONS];
    /** The {@link #mask} of each type of scalar seen. */
    private int types;

    private int rank = UNSEEN;
    private boolean objects;
    private boolean listOfObjects;
    private int present;
    private int lastRecord = -1;
    /** How often it had a value other than null; how often that was an object. */
    private long values;

    private long objectsSeen;
    private int changes;
    private int changesSeen;
    private @Nullable String problem;
    private @Nullable String note;

    FieldTracker(String name, @Nullable FieldTracker parent, @Nullable TruthField expected) {
        this.name = name;
        this.parent = parent;
        this.expected = expected;
        Arrays.fill(extents, UNSEEN);
    }

    /** The record has the key, with something other than null. Counts once a record. */
    void seenIn(int record) {
        values++;
        if (lastRecord != record) {
            lastRecord = record;
            present++;
        }
    }

    @Nullable
    String scalar(TruthType type, int depth) {
        int others = types & ~mask(type);
        boolean numbers = mask(type) == mask(TruthType.INT64) || mask(type) == mask(TruthType.FLOAT64);
        int allowed = numbers ? mask(TruthType.INT64) | mask(TruthType.FLOAT64) : mask(type);
        if (objects || (others & ~allowed) != 0) {
            return "is " + type + " where earlier values are " + earlier();
        }
        if (rank == UNSEEN && (depth >= MOST_DIMENSIONS || extents[depth] == UNSEEN)) {
            rank = depth;
            changes++;
        }
        if (rank != depth) {
            return "is a value in " + depth + " lists where earlier ones are in "
                    + (rank == UNSEEN ? "at least " + (depth + 1) : rank);
        }
        if ((types & mask(type)) == 0) {
            types |= mask(type);
            changes++;
        }
        return null;
    }

    @Nullable
    String list(int depth, int length) {
        if (depth >= MOST_DIMENSIONS) {
            return "is a list more than " + MOST_DIMENSIONS + " deep";
        }
        if (objects && length == 0 && depth == 0 && listOfObjects) {
            return null;
        }
        if (objects || (rank != UNSEEN && depth >= rank)) {
            return "is a list where earlier values are " + earlier();
        }
        int before = extents[depth];
        extents[depth] = before == UNSEEN || before == length ? length : VARIES;
        changes += before == extents[depth] ? 0 : 1;
        return null;
    }

    /** An object at the key itself (depth 0) or in a list there (depth 1). */
    @Nullable
    String object(int depth) {
        boolean first = !objects;
        boolean emptyListsOnly = rank == UNSEEN && extents[1] == UNSEEN && types == 0 && extents[0] <= 0;
        boolean inList = depth == 1;
        boolean fits = first ? emptyListsOnly && (inList || extents[0] == UNSEEN) : listOfObjects == inList;
        if (inList && isInRows()) {
            return "is a list of objects inside a list of objects, which no tensor holds";
        }
        if (depth > 1 || !fits) {
            return "is an object" + (depth > 0 ? " in a list" : "") + " where earlier values are " + earlier();
        }
        objectsSeen++;
        objects = true;
        listOfObjects = inList;
        changes += first ? 1 : 0;
        return null;
    }

    /** Why the values don't go together; the first reason stands. */
    void blame(String reason) {
        if (problem == null) {
            problem = reason;
            changes++;
        }
    }

    /** Something worth saying when a column can't take the field; the first stands. */
    void note(String text) {
        note = note == null ? text : note;
    }

    /** The reason of {@link #blame}, else the note, else null. */
    @Nullable
    String problem() {
        return problem == null ? note : problem;
    }

    boolean isBlamed() {
        return problem != null;
    }

    /** Whether the answer of {@link #field} may have changed since this was asked last. */
    boolean isChanged() {
        boolean changed = changes != changesSeen;
        changesSeen = changes;
        return changed;
    }

    boolean isIn(int record) {
        return lastRecord == record;
    }

    /**
     * Whether a record of the first {@code records}, or an object of a list in one, lacks the key. A record whose list of
     * objects is empty lacks nothing.
     */
    boolean isSometimesMissing(int records) {
        if (parent == null || !isInRows()) {
            return present < records;
        }
        return values < parent.objectsSeen
                || (parent.listOfObjects ? parent.present < records : parent.isSometimesMissing(records));
    }

    /** What was seen in several records was seen in record 0: they turned out to be rows of a list in it. */
    void collapse() {
        present = Math.min(present, 1);
        lastRecord = present - 1;
        children.values().forEach(FieldTracker::collapse);
    }

    /** Whether a key above it is a list of objects. */
    boolean isInRows() {
        return parent != null && (parent.listOfObjects || parent.isInRows());
    }

    /** Whether the key itself is a field, as against a mere parent of fields. */
    boolean isField() {
        return !objects || problem != null;
    }

    /**
     * The field that the key is.
     *
     * @param records of the table
     */
    TruthField field(int records) {
        boolean inRows = isInRows();
        boolean optional = isSometimesMissing(records);
        TruthType type = type();
        if (type == TruthType.UNKNOWN) {
            return new TruthField(name, type, inRows || extents[0] != UNSEEN, List.of(), optional);
        }
        List<Integer> shape = new ArrayList<>();
        for (int depth = 0; depth < rank; depth++) {
            shape.add(extents[depth]);
        }
        boolean rows = inRows || (!shape.isEmpty() && shape.get(0) <= 0);
        if (rows && !inRows) {
            shape.remove(0);
        }
        if (type == TruthType.MIXED || shape.stream().anyMatch(extent -> extent < 1)) {
            return new TruthField(name, TruthType.MIXED, false, List.of(), optional);
        }
        return new TruthField(name, type, rows, shape, optional);
    }

    private TruthType type() {
        if (problem != null) {
            return TruthType.MIXED;
        }
        for (TruthType type : new TruthType[] {TruthType.TEXT, TruthType.FLOAT64, TruthType.INT64, TruthType.BOOL}) {
            if ((types & mask(type)) != 0) {
                return type;
            }
        }
        return TruthType.UNKNOWN;
    }

    private String earlier() {
        if (objects) {
            return listOfObjects ? "lists of objects" : "objects";
        }
        TruthType type = type();
        String what = type == TruthType.UNKNOWN ? "lists" : type.toString();
        return rank > 0 ? what + " in " + rank + (rank == 1 ? " list" : " lists") : what;
    }

    private static int mask(TruthType type) {
        return switch (type) {
            case BOOL -> 1;
            case INT64 -> 2;
            case FLOAT64 -> 4;
            case TEXT -> 8;
            case UNKNOWN, MIXED -> 0;
        };
    }
}
