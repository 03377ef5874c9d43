package dev.penstock.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one stage: named daemons, as many as asked for, changeable while running. Thread-safe.
 *
 * <p>A worker that is one too many finishes its piece and leaves. A thread that ends by a throwable tells the pipeline's life;
 * nothing is swallowed.
 */
final class WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The body of a worker thread; returns when the worker is stopped or the pipeline is closed. */
    interface Body {
        void run(Worker worker) throws Exception;
    }

    /** A live thread and what it shows. */
    private record Member(Thread thread, Worker worker) {}

    private final String stage;
    private final Body body;
    private final Runnable wake;
    private final Lifecycle life;
    /** CPU time of threads that have ended. */
    private final AtomicLong endedCpu = new AtomicLong();
    /** Guarded by this: threads that may still run. */
    private final List<Member> members = new ArrayList<>();
    /** Guarded by this. */
    private int made;
    /** Guarded by this. */
    private boolean closed;

    /**
     * @param wake makes workers that wait look again whether they are to stop
     */
    WorkerPool(String stage, Body body, Runnable wake, Lifecycle life) {
        this.stage = stage;
        this.body = body;
        this.wake = wake;
        this.life = life;
    }

    synchronized int size() {
        return (int) members.stream().filter(m -> !m.worker.stopped()).count();
    }

    void resize(int wanted) {
        synchronized (this) {
            if (closed) {
                return;
            }
            int surplus = size() - wanted;
            for (int i = members.size() - 1; i >= 0 && surplus > 0; i--) {
                Worker worker = members.get(i).worker;
                if (!worker.stopped()) {
                    worker.stop();
                    surplus--;
                }
            }
            for (int i = surplus; i < 0; i++) {
                start();
            }
        }
        wake.run();
    }

    /** No new thread from here on; those that run are told to stop. */
    void close() {
        synchronized (this) {
            closed = true;
            members.forEach(m -> m.worker.stop());
        }
        wake.run();
    }

    /** Interrupts a worker that was given up and starts another in its place. */
    synchronized void replace(Worker givenUp) {
        for (Member member : List.copyOf(members)) {
            if (member.worker == givenUp) {
                member.thread.interrupt();
            }
        }
        if (!closed) {
            start();
        }
    }

    /** The workers that have not ended. */
    synchronized List<Worker> workers() {
        return members.stream().map(Member::worker).toList();
    }

    String stage() {
        return stage;
    }

    synchronized void interrupt() {
        members.forEach(m -> m.thread.interrupt());
    }

    /** Threads that have not ended, with what each is doing. */
    synchronized List<String> describe() {
        return members.stream().map(m -> m.worker.describe()).toList();
    }

    synchronized List<Thread> threads() {
        return members.stream().map(Member::thread).toList();
    }

    /** CPU nanoseconds of all threads since the start, or -1 where the JVM can't tell. */
    long cpuNanos() {
        if (!THREADS.isThreadCpuTimeSupported() || !THREADS.isThreadCpuTimeEnabled()) {
            return -1;
        }
        long total = endedCpu.get();
        for (Thread thread : threads()) {
            total += Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
        }
        return total;
    }

    /** CPU nanoseconds of the calling thread, or -1 where the JVM can't tell. */
    static long currentCpuNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled()
                ? THREADS.getCurrentThreadCpuTime()
                : -1;
    }

    /** Guarded by this. */
    private void start() {
        Worker worker = new Worker(stage + "-" + made++);
        Thread thread = new Thread(() -> run(worker), "penstock-" + worker.name());
        thread.setDaemon(true);
        members.add(new Member(thread, worker));
        life.threadStarted();
        thread.start();
    }

    private void run(Worker worker) {
        try {
            body.run(worker);
        } catch (InterruptedException e) {
            if (!life.isClosed() && !worker.givenUp()) {
                life.fail(new IllegalStateException("worker " + worker.name() + " was interrupted from outside", e));
            }
        } catch (Throwable e) {
            if (worker.givenUp()) {
                LOG.warn("{} was given up and ended by {}", worker.name(), e.toString());
            } else {
                life.fail(e);
            }
        } finally {
            leave();
        }
    }

    private void leave() {
        if (THREADS.isCurrentThreadCpuTimeSupported()) {
            endedCpu.addAndGet(Math.max(0, THREADS.getCurrentThreadCpuTime()));
        }
        synchronized (this) {
            members.removeIf(m -> m.thread == Thread.currentThread());
        }
        LOG.debug("{} ended", Thread.currentThread().getName());
        life.threadEnded();
    }
}
