package dev.penstock.s3.kit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Chooses the fault of each exchange. Called by many threads. */
public interface FaultPlan {

    /** The fault of this exchange; {@link Fault#NONE} for none. */
    Fault choose(Exchange exchange);

    /**
     * One request as the proxy sees it.
     *
     * @param number from 0, in order of arrival
     * @param method GET, PUT, …
     * @param path with its query
     * @param range the Range header, or empty
     * @param head the request's first line and headers
     */
    record Exchange(int number, String method, String path, String range, String head) {}

    /** No faults. */
    static FaultPlan none() {
        return exchange -> Fault.NONE;
    }

    /** The same fault always. */
    static FaultPlan always(Fault fault) {
        return exchange -> fault;
    }

    /** These faults for the first exchanges that match, none after. */
    static FaultPlan first(Predicate<Exchange> which, Fault... faults) {
        AtomicInteger next = new AtomicInteger();
        return exchange -> {
            int i = which.test(exchange) ? next.getAndIncrement() : faults.length;
            return i < faults.length ? faults[i] : Fault.NONE;
        };
    }

    /** Each exchange fails with probability {@code rate}, in one of these ways. The same seed gives the same sequence. */
    static FaultPlan mixed(long seed, double rate, List<Fault> faults) {
        return exchange -> {
            SplittableRandom random = new SplittableRandom(seed * 1_000_003 + exchange.number());
            return random.nextDouble() < rate ? faults.get(random.nextInt(faults.size())) : Fault.NONE;
        };
    }
}
