package dev.penstock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Processor time of this JVM by kind of thread: names with their numbers taken off. What no Java thread used is the
 * garbage collector's and the compiler's. Threads that have ended count with those.
 */
record CpuByThread(Map<String, Long> nanos) {
    static final String TOTAL = "this JVM";
    private static final String REST = "collector, compiler";

    static CpuByThread now() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> nanos = new HashMap<>();
        long counted = 0;
        for (long id : threads.getAllThreadIds()) {
            @Nullable ThreadInfo thread = threads.getThreadInfo(id);
            long used = threads.getThreadCpuTime(id);
            if (thread != null && used > 0) {
                nanos.merge(thread.getThreadName().replaceAll("[-0-9]+$", ""), used, Long::sum);
                counted += used;
            }
        }
        long all =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
        nanos.put(TOTAL, all);
        nanos.put(REST, all - counted);
        return new CpuByThread(nanos);
    }

    /** Milliseconds since {@code before} for each of {@code count} things, kinds under 0.1 left out. */
    Map<String, Double> millisSince(CpuByThread before, int count) {
        Map<String, Double> millis = new TreeMap<>();
        nanos.forEach((kind, now) -> {
            double each = (now - before.nanos.getOrDefault(kind, 0L)) / 1e6 / count;
            if (each >= 0.1) {
                millis.put(kind, Math.round(100 * each) / 100.0);
            }
        });
        return millis;
    }
}
