package dev.penstock.decode.truth;

import dev.penstock.data.BatchSpec;
import dev.penstock.spi.ReadRequest;
import dev.penstock.view.Window;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Gets the truth of a batch: says which bytes it needs, and makes the {@link TruthCollation}s that write it. Immutable but
 * for the requests kept for another use; thread-safe.
 */
public final class TruthGather {
    private static final int MOST_KEPT = 64;

    private final List<TruthColumn> columns;
    private final int[] tensors;
    private final TruthAnchors anchors;
    private final double[][] seconds;
    private final int[][] frames;

    /** Requests whose batch is done; any thread takes and gives. */
    private final ConcurrentLinkedQueue<TruthRead> kept = new ConcurrentLinkedQueue<>();

    /**
     * @param columns the view's truth columns
     * @param spec the batch's tensors, those of the columns among them
     */
    public TruthGather(List<TruthColumn> columns, BatchSpec spec, TruthAnchors anchors) {
        this.columns = List.copyOf(columns);
        this.anchors = anchors;
        this.tensors = columns.stream()
                .mapToInt(column -> spec.indexOf(column.tensor()))
                .toArray();
        this.seconds = new double[tensors.length][];
        this.frames = new int[tensors.length][];
        for (int i = 0; i < tensors.length; i++) {
            if (tensors[i] < 0) {
                throw new IllegalArgumentException(
                        "the batch has no tensor '" + columns.get(i).tensor() + "'");
            }
            Window window = columns.get(i).column().window();
            seconds[i] = window == null
                    ? new double[] {0}
                    : window.seconds().stream().mapToDouble(s -> s).toArray();
            frames[i] = window == null
                    ? new int[0]
                    : window.frames().stream().mapToInt(f -> f).toArray();
        }
    }

    /**
     * The bytes that the first {@code rows} of {@code samples} need, each once and neighbours together; null where all
     * truth is in memory.
     */
    public @Nullable ReadRequest request(long[] samples, int rows) {
        TruthRead read = kept.poll();
        read = read == null ? new TruthRead() : read;
        read.clear();
        RecordPick pick = read.pick();
        for (int row = 0; row < rows; row++) {
            TruthBinding binding = anchors.truth(samples[row]);
            for (int column = 0; column < tensors.length; column++) {
                TruthTable table = binding.table(column);
                if (table.blob() == null) {
                    continue;
                }
                for (int slot = 0; slot < slots(column); slot++) {
                    if (find(pick, binding, column, slot, samples[row])) {
                        read.want(table, pick.first(), pick.second());
                    }
                }
            }
        }
        if (read.seal()) {
            return read;
        }
        done(read);
        return null;
    }

    /** A collation for one thread. */
    public TruthCollation newCollation() {
        return new TruthCollation(this);
    }

    /** Seconds of one of a column's instants, of a sample whose anchor is at {@code anchor}. */
    double instant(int column, int slot, long sample, double anchor) {
        return frames[column].length == 0
                ? anchor + seconds[column][slot]
                : anchors.frameSeconds(sample, frames[column][slot]);
    }

    /** Whether a column has a value at one of its instants; {@code pick} says which records. */
    boolean find(RecordPick pick, TruthBinding binding, int column, int slot, long sample) {
        return pick.find(
                binding.table(column),
                columns.get(column).column().pick(),
                binding.tolerance(column),
                instant(column, slot, sample));
    }

    /** Seconds of one of a column's instants. */
    double instant(int column, int slot, long sample) {
        return frames[column].length == 0
                ? anchors.seconds(sample) + seconds[column][slot]
                : anchors.frameSeconds(sample, frames[column][slot]);
    }

    /** Keeps a request for another batch. */
    void done(TruthRead read) {
        if (kept.size() < MOST_KEPT) {
            kept.offer(read);
        }
    }

    int slots(int column) {
        return Math.max(seconds[column].length, frames[column].length);
    }

    int tensor(int column) {
        return tensors[column];
    }

    List<TruthColumn> columns() {
        return columns;
    }

    TruthAnchors anchors() {
        return anchors;
    }
}
