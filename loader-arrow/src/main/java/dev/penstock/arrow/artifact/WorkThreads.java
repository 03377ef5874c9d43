package dev.penstock.arrow.artifact;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Does something to each of a list's items on a few daemon threads and gives the results in the list's order. The first
 * failure, or an interrupt of the caller, interrupts what runs and is thrown when all threads have ended.
 */
final class WorkThreads {
    private static final long LONGEST_END_SECONDS = 120;

    private final int threads;

    WorkThreads(int threads) {
        this.threads = threads;
    }

    /** What is done to an item. */
    interface Task<T, R> {
        R run(T item) throws IOException, InterruptedException;
    }

    <T, R> List<R> each(List<T> items, Task<T, R> task) throws IOException, InterruptedException {
        if (items.isEmpty()) {
            return List.of();
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, items.size()), run -> {
            Thread thread = new Thread(run, "penstock-materialize-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        try {
            ExecutorCompletionService<R> finished = new ExecutorCompletionService<>(executor);
            List<Future<R>> futures = new ArrayList<>();
            items.forEach(item -> futures.add(finished.submit(() -> task.run(item))));
            for (int i = 0; i < items.size(); i++) {
                result(finished.take());
            }
            List<R> results = new ArrayList<>();
            for (Future<R> future : futures) {
                results.add(result(future));
            }
            return results;
        } finally {
            executor.shutdownNow();
            end(executor);
        }
    }

    private static <R> R result(Future<R> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            if (cause instanceof RuntimeException runtime) {
                throw runtime;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new IOException(String.valueOf(cause), cause);
        }
    }

    /** Waits, also when interrupted: a thread still at work would write into a target that is given up. */
    private static void end(ExecutorService executor) {
        @Nullable InterruptedException interrupted = null;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_END_SECONDS);
        while (!executor.isTerminated() && System.nanoTime() < deadline) {
            try {
                executor.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = e;
            }
        }
        if (interrupted != null) {
            Thread.currentThread().interrupt();
        }
    }
}
