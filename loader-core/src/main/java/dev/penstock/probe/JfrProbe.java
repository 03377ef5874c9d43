package dev.penstock.probe;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes Java Flight Recorder events: {@code dev.penstock.Delivery} for each batch, {@code dev.penstock.Work} for each
 * piece of work. Give it to a loader as probe, as work probe, or both; without a running recording an event costs a few
 * nanoseconds. Durations are fields, since a probe hears of work when it is over. Thread-safe.
 */
public final class JfrProbe implements DataWaitProbe, WorkProbe {

    /** A probe that writes events to whatever recording runs. */
    public JfrProbe() {}

    @Name("dev.penstock.Delivery")
    @Label("Batch delivered")
    @Category("Penstock")
    @StackTrace(false)
    static final class Delivery extends Event {
        @Label("Epoch")
        int epoch;

        @Label("Batch")
        long batch;

        @Label("Data wait")
        @Timespan(Timespan.NANOSECONDS)
        long dataWait;

        @Label("Step")
        @Timespan(Timespan.NANOSECONDS)
        long step;
    }

    @Name("dev.penstock.Work")
    @Label("Piece of work")
    @Category("Penstock")
    @StackTrace(false)
    static final class Work extends Event {
        @Label("Stage")
        String stage = "";

        @Label("Epoch")
        int epoch;

        @Label("Batch")
        long batch;

        @Label("Piece")
        int piece;

        @Label("Took")
        @Timespan(Timespan.NANOSECONDS)
        long took;

        @Label("CPU time")
        @Timespan(Timespan.NANOSECONDS)
        long cpu;

        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        Delivery event = new Delivery();
        if (event.shouldCommit()) {
            event.epoch = epoch;
            event.batch = batch;
            event.dataWait = waitNanos;
            event.step = betweenNanos;
            event.commit();
        }
    }

    @Override
    public void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes) {
        Work event = new Work();
        if (event.shouldCommit()) {
            event.stage = stage.label();
            event.epoch = epoch;
            event.batch = batch;
            event.piece = piece;
            event.took = nanos;
            event.cpu = Math.max(0, cpuNanos);
            event.bytes = bytes;
            event.commit();
        }
    }
}
