package dev.penstock.roofline;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU use of this process and of the whole machine between two calls. Used by one thread. */
final class CpuMeter {
    private static final OperatingSystemMXBean BEAN =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private long startedCpu;
    private long startedAt;

    /** Begins the interval. */
    void start() {
        startedCpu = BEAN.getProcessCpuTime();
        startedAt = System.nanoTime();
        BEAN.getCpuLoad(); // the bean reports the load since its previous call
    }

    /** CPU time of the process ÷ (time × cores) since {@link #start}: 0 to 1; NaN where unknown. */
    double processShare() {
        long cpu = BEAN.getProcessCpuTime() - startedCpu;
        long time = System.nanoTime() - startedAt;
        return startedCpu < 0 || time <= 0 ? Double.NaN : Math.min(1, (double) cpu / time / cores());
    }

    /** Load of the whole machine since {@link #start}: 0 to 1; NaN where unknown. */
    double machineShare() {
        double load = BEAN.getCpuLoad();
        return load < 0 ? Double.NaN : load;
    }

    /** Cores that this process may use. */
    static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
