package dev.penstock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a stalled {@code next()} says: every queue, what each worker does, where its thread stands. */
final class StallText {
    private StallText() {}

    /**
     * @param queues depth of each queue, as text
     * @param kept batches that the trainer retains, as text
     */
    static String of(long waitedNanos, String queues, String kept, List<WorkerPool> pools) {
        StringBuilder text = new StringBuilder();
        text.append("no batch for ")
                .append(TimeUnit.NANOSECONDS.toMillis(waitedNanos))
                .append(" ms (nextTimeout). Queues: ")
                .append(queues)
                .append("; batches retained by the trainer ")
                .append(kept)
                .append(". Workers: ")
                .append(workers(pools))
                .append(". A worker that is long on one piece has a blocked source or a damaged clip; idle workers with"
                        + " retained batches mean that the trainer keeps too many");
        for (WorkerPool pool : pools) {
            for (Thread thread : pool.threads()) {
                text.append('\n').append(thread.getName());
                for (StackTraceElement frame : thread.getStackTrace()) {
                    text.append("\n    at ").append(frame);
                }
            }
        }
        return text.toString();
    }

    /** What each worker that has not ended does. */
    static String workers(List<WorkerPool> pools) {
        List<String> all = new ArrayList<>();
        pools.forEach(pool -> all.addAll(pool.describe()));
        return String.join("; ", all);
    }
}
