package dev.penstock.probe;

import java.util.List;

/** Tells several probes, each guarded on its own. */
public final class CompositeProbe implements DataWaitProbe {
    private final List<DataWaitProbe> probes;

    private CompositeProbe(List<DataWaitProbe> probes) {
        this.probes = probes;
    }

    /** All of {@code probes}, in order. */
    public static DataWaitProbe of(List<DataWaitProbe> probes) {
        List<DataWaitProbe> active =
                probes.stream().filter(p -> p != NONE).map(GuardedProbe::of).toList();
        return switch (active.size()) {
            case 0 -> NONE;
            case 1 -> active.get(0);
            default -> new CompositeProbe(active);
        };
    }

    @Override
    public void epochStarted(int epoch, long batches) {
        for (DataWaitProbe probe : probes) {
            probe.epochStarted(epoch, batches);
        }
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        for (DataWaitProbe probe : probes) {
            probe.delivered(epoch, batch, waitNanos, betweenNanos);
        }
    }

    @Override
    public void tuned(TuningStep step) {
        for (DataWaitProbe probe : probes) {
            probe.tuned(step);
        }
    }

    @Override
    public void epochEnded(DataWaitReport report) {
        for (DataWaitProbe probe : probes) {
            probe.epochEnded(report);
        }
    }
}
