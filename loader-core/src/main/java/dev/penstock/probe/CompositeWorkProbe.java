package dev.penstock.probe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several work probes. One that throws is left out from then on, with one warning. Thread-safe. */
public final class CompositeWorkProbe implements WorkProbe {
    private static final Logger LOG = LoggerFactory.getLogger(CompositeWorkProbe.class);

    private final CopyOnWriteArrayList<WorkProbe> probes;

    private CompositeWorkProbe(List<WorkProbe> probes) {
        this.probes = new CopyOnWriteArrayList<>(probes);
    }

    /** All of {@code probes}, in order. */
    public static WorkProbe of(List<WorkProbe> probes) {
        List<WorkProbe> active = probes.stream().filter(probe -> probe != NONE).toList();
        return switch (active.size()) {
            case 0 -> NONE;
            case 1 -> active.get(0);
            default -> new CompositeWorkProbe(active);
        };
    }

    @Override
    public void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes) {
        for (WorkProbe probe : probes) {
            try {
                probe.worked(stage, epoch, batch, piece, startNanos, nanos, cpuNanos, bytes);
            } catch (RuntimeException | LinkageError e) {
                if (probes.remove(probe)) {
                    LOG.warn("work probe {} threw and is switched off; loading goes on", probe, e);
                }
            }
        }
    }
}
