package dev.penstock.roofline;

import dev.penstock.probe.ServiceTimes;
import dev.penstock.probe.ServiceTimes.BatchTimes;
import dev.penstock.probe.ServiceTimes.Piece;
import dev.penstock.probe.ServiceTimes.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * One run of the discrete-event model of {@link PipelineReplay}. Time is in nanoseconds as double; tasks in their CPU
 * part share the cores evenly, {@link Cores#speed}. Used once, by one thread.
 */
final class ReplayRun {
    /** Batches that are left out of the outcome while the pipe fills: this many times the slabs. */
    private static final int FILL = 2;

    private static final int LEAST_BATCHES = 200;
    /** Below this a remainder of a task is rounding. */
    private static final double DONE = 1e-3;

    record Outcome(double batchesPerSecond, double waitShare) {}

    private enum Kind {
        READ,
        DECODE,
        COLLATE,
        STEP
    }

    private static final class Task {
        final Kind kind;
        final Making batch;
        final Piece piece;
        double offCpu;
        double cpu;

        Task(Kind kind, Making batch, Piece piece, double offCpu, double cpu) {
            this.kind = kind;
            this.batch = batch;
            this.piece = piece;
            this.offCpu = offCpu;
            this.cpu = cpu;
        }
    }

    private static final class Making {
        final int number;
        int open;

        Making(int number) {
            this.number = number;
        }
    }

    private record Queued(Making batch, Piece piece) {}

    private static final Piece NO_PIECE = new Piece(Work.NONE, Work.NONE, 0);

    private final List<BatchTimes> recorded;
    private final PipelineSettings settings;
    private final Cores cores;
    private final Change change;
    private final double trainerCpuShare;
    private final double offCpuFactor;
    private final double slower;
    private final double meanStep;

    private final List<Task> running = new ArrayList<>();
    private final Deque<Queued> toRead = new ArrayDeque<>();
    private final Deque<Queued> toDecode = new ArrayDeque<>();
    private final Deque<Making> toCollate = new ArrayDeque<>();
    private final BitSet finished = new BitSet();
    private int reading;
    private int decoding;
    private int collating;
    private int opened;
    private int freeSlabs;

    private double now;
    private int wanted;
    private boolean stepping;
    private double askedAt;

    ReplayRun(
            ServiceTimes times,
            PipelineSettings settings,
            Cores cores,
            Change change,
            double trainerCpuShare,
            double offCpuFactor,
            double slower) {
        this.recorded = times.batches();
        this.settings = settings;
        this.cores = cores;
        this.change = change;
        this.trainerCpuShare = trainerCpuShare;
        this.offCpuFactor = offCpuFactor;
        this.slower = slower;
        this.freeSlabs = settings.slabs();
        this.meanStep = recorded.stream()
                .skip(1)
                .mapToLong(BatchTimes::stepNanos)
                .average()
                .orElse(0);
    }

    Outcome run() {
        int fill = FILL * settings.slabs();
        int last = fill + Math.max(LEAST_BATCHES, recorded.size());
        double from = 0;
        double waited = 0;
        while (wanted < last) {
            start();
            if (!stepping && finished.get(wanted)) {
                if (wanted == fill) {
                    from = now;
                } else if (wanted > fill) {
                    waited += now - askedAt;
                }
                stepping = true;
                double step = step(wanted);
                running.add(new Task(
                        Kind.STEP, new Making(wanted), NO_PIECE, step * (1 - trainerCpuShare), step * trainerCpuShare));
                wanted++;
                continue;
            }
            advance();
        }
        double took = now - from;
        return new Outcome((last - 1 - fill) * 1e9 / took, Math.min(1, waited / took));
    }

    /** Gives every idle worker what is there for it. */
    private void start() {
        while (freeSlabs > 0) {
            freeSlabs--;
            open();
        }
        while (reading < settings.readThreads() && !toRead.isEmpty()) {
            Queued next = toRead.remove();
            reading++;
            add(Kind.READ, next.batch(), next.piece(), next.piece().read(), change.readFactor(), 1);
        }
        while (decoding < settings.decodeThreads() && !toDecode.isEmpty()) {
            Queued next = toDecode.remove();
            decoding++;
            add(Kind.DECODE, next.batch(), next.piece(), next.piece().decode(), change.decodeFactor(), offCpuFactor);
        }
        while (collating < settings.collateThreads() && !toCollate.isEmpty()) {
            Making next = toCollate.remove();
            collating++;
            running.add(collate(next));
        }
    }

    private void open() {
        Making batch = new Making(opened++);
        for (int i = 0; i < change.batchFactor(); i++) {
            for (Piece piece : source(batch, i).pieces()) {
                batch.open++;
                toRead.add(new Queued(batch, piece));
            }
        }
        if (batch.open == 0) {
            toCollate.add(batch);
        }
    }

    private BatchTimes source(Making batch, int part) {
        return recorded.get((batch.number * change.batchFactor() + part) % recorded.size());
    }

    private void add(Kind kind, Making batch, Piece piece, Work work, double faster, double offCpu) {
        double cpu = kind == Kind.READ ? Math.max(0, work.cpuNanos()) : work.cpuOrAllNanos();
        double off = Math.max(0, work.nanos() - cpu) * offCpu;
        double factor = slower / faster;
        running.add(new Task(kind, batch, piece, off * factor, cpu * factor));
    }

    private Task collate(Making batch) {
        double cpu = 0;
        double off = 0;
        for (int i = 0; i < change.batchFactor(); i++) {
            Work work = source(batch, i).collate();
            double itsCpu = work.cpuOrAllNanos();
            cpu += itsCpu;
            off += Math.max(0, work.nanos() - itsCpu) * offCpuFactor;
        }
        double factor = slower / change.collateFactor();
        return new Task(Kind.COLLATE, batch, NO_PIECE, off * factor, cpu * factor);
    }

    private double step(int number) {
        long nanos = recorded.get(number % recorded.size()).stepNanos();
        return (nanos == 0 ? meanStep : nanos) * change.stepFactor(); // an epoch's first has no step before it
    }

    /** Moves time to the next end of a task's part. */
    private void advance() {
        if (running.isEmpty()) {
            throw new IllegalStateException("the replay has nothing to do; batch " + wanted + " never finishes");
        }
        long onCpu = running.stream().filter(task -> task.offCpu <= DONE).count();
        double rate = cores.speed(onCpu);
        double least = Double.POSITIVE_INFINITY;
        for (Task task : running) {
            least = Math.min(least, task.offCpu > DONE ? task.offCpu : task.cpu / rate);
        }
        now += least;
        List<Task> done = new ArrayList<>();
        for (Iterator<Task> tasks = running.iterator(); tasks.hasNext(); ) {
            Task task = tasks.next();
            if (task.offCpu > DONE) {
                task.offCpu -= least;
            } else {
                task.cpu -= least * rate;
            }
            if (task.offCpu <= DONE && task.cpu <= DONE) {
                tasks.remove();
                done.add(task);
            }
        }
        done.forEach(this::end);
    }

    private void end(Task task) {
        switch (task.kind) {
            case READ -> {
                reading--;
                if (task.piece.decode().nanos() > 0) {
                    toDecode.add(new Queued(task.batch, task.piece));
                } else {
                    pieceDone(task.batch);
                }
            }
            case DECODE -> {
                decoding--;
                pieceDone(task.batch);
            }
            case COLLATE -> {
                collating--;
                finished.set(task.batch.number);
            }
            case STEP -> {
                stepping = false;
                freeSlabs++;
                askedAt = now;
            }
        }
    }

    private void pieceDone(Making batch) {
        batch.open--;
        if (batch.open == 0) {
            toCollate.add(batch);
        }
    }
}
