package dev.penstock.engine;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.penstock.spi.SampleSource;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * What given settings need of off-heap memory, and what there is. Bytes.
 *
 * @param slabs number of batches in memory
 * @param slabBytes dense bytes of one, and the first bytes of its ragged columns
 * @param decoderBytes scratch of all decoders, at its stated bound
 * @param readBytes the least read-ahead: the largest single read
 */
public record MemoryNeed(int slabs, long slabBytes, long decoderBytes, long readBytes) {

    /** The need of {@code settings}. */
    public static MemoryNeed of(SampleSource source, int batchSize, int decodeConcurrency, int slabs) {
        return new MemoryNeed(
                slabs,
                SlabPool.slabBytes(source.spec(), batchSize),
                decodeConcurrency * source.decoderScratch(),
                ReadBuffers.sizeClass((int) Math.min(Integer.MAX_VALUE / 2, source.largestRead())));
    }

    /** All of it. */
    public long total() {
        return slabs * slabBytes + decoderBytes + readBytes;
    }

    /** What counts against the JVM's own limit: batches and reads, not the decoders' native scratch. */
    private long directBytes() {
        return slabs * slabBytes + readBytes;
    }

    /** Half of the machine's (or container's) memory, and of the JVM's direct-memory limit all but a tenth. */
    public static long defaultBudget() {
        long machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() / 2;
        return NativeMemory.countsAsDirectMemory() ? Math.min(machine, directLimit() / 10 * 9) : machine;
    }

    /** Why the need can't be met, with the knob to turn; null when it can. */
    public @Nullable String complaint(long budget) {
        if (total() > budget) {
            return "memory was " + mib(budget) + ", must be at least " + mib(total()) + " for " + slabs + " batches of "
                    + mib(slabBytes) + " (prefetch + 3, and what overtaking needs), decoders " + mib(decoderBytes)
                    + " and a read of "
                    + mib(readBytes)
                    + "; raise memory(...), or lower batchSize, prefetch, decodeConcurrency or overtake";
        }
        if (NativeMemory.countsAsDirectMemory() && directBytes() > directLimit()) {
            return "the JVM allows " + mib(directLimit()) + " of direct memory, " + mib(directBytes())
                    + " are needed; start it with -XX:MaxDirectMemorySize=" + (directBytes() * 5 / 4 / 1_048_576 + 64)
                    + "m";
        }
        return null;
    }

    /** {@code -XX:MaxDirectMemorySize}, or the largest heap where it is not set. */
    private static long directLimit() {
        String value = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long set = Long.parseLong(value);
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }

    private static String mib(long bytes) {
        return String.format(java.util.Locale.ROOT, "%.1f MiB", bytes / 1_048_576.0);
    }
}
