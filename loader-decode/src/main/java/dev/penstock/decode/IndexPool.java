package dev.penstock.decode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a list of tasks on a few daemon threads of its own, for the length of one call, and gives their results in the
 * list's order. A task that fails with an {@link IOException} is a result too; after {@link #MOST_FAILURES} of them the
 * rest is given up. An interrupt of the caller ends the threads.
 */
final class IndexPool {
    /** As many as a message can usefully count; enough to tell one bad file from a wrong folder. */
    private static final int MOST_FAILURES = 20;

    /** A task's value, or why it has none. Both are null for a task that was given up. */
    record Outcome<T>(@Nullable T value, @Nullable IOException failure) {}

    private final int threads;

    IndexPool(int threads) {
        this.threads = threads;
    }

    <T> List<Outcome<T>> run(List<? extends Callable<T>> tasks) throws IOException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, tasks.size()), task -> {
            Thread thread = new Thread(task, "penstock-index-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> futures = new ArrayList<>(tasks.size());
            for (Callable<T> task : tasks) {
                futures.add(pool.submit(task));
            }
            return collect(futures);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while clips were indexed");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> List<Outcome<T>> collect(List<Future<T>> futures) throws InterruptedException {
        List<Outcome<T>> outcomes = new ArrayList<>(futures.size());
        int failures = 0;
        for (Future<T> future : futures) {
            if (failures == MOST_FAILURES) {
                outcomes.add(new Outcome<>(null, null));
                continue;
            }
            try {
                outcomes.add(new Outcome<>(future.get(), null));
            } catch (ExecutionException e) {
                outcomes.add(new Outcome<>(null, failureOf(e)));
                failures++;
            }
        }
        return outcomes;
    }

    private static IOException failureOf(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IOException failure) {
            return failure;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IOException(String.valueOf(cause), cause);
    }
}
