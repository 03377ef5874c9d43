package dev.penstock.roofline;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Time that the JVM's collectors stopped the world, in nanoseconds since the JVM's start, at the millisecond that the
 * beans count in.
 *
 * <p>Collectors that run beside the program have beans of their own (named "…Cycles" by ZGC and Shenandoah, "…Concurrent
 * GC" by G1); their time is no pause and is left out.
 */
final class GcPauses implements LongSupplier {
    private final List<GarbageCollectorMXBean> pausing = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(bean ->
                    !bean.getName().contains("Cycles") && !bean.getName().contains("Concurrent"))
            .toList();

    @Override
    public long getAsLong() {
        long millis = 0;
        for (GarbageCollectorMXBean bean : pausing) {
            millis += Math.max(0, bean.getCollectionTime());
        }
        return millis * 1_000_000;
    }
}
