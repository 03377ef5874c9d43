package dev.penstock.probe;

import dev.penstock.spi.StoreStats;
import java.util.List;

/**
 * What reading cost. Bytes asked of the stores exceed those that decoding and truth need by the gaps between packets that
 * were read over; what crossed the network, by retries and by a cache's whole chunks, too, and falls short of it by what
 * a cache held.
 *
 * @param neededBytes of packets that are decoded and of truth
 * @param askedBytes asked of the stores
 * @param stores what each store did; only those that keep count. A store serves the whole process, so other readers'
 *     requests are counted with this loader's
 */
public record StorageUse(long neededBytes, long askedBytes, List<StoreStats> stores) {

    public StorageUse {
        stores = List.copyOf(stores);
    }

    /** Body bytes that came over the network. */
    public long fetchedBytes() {
        return stores.stream().mapToLong(StoreStats::bytesFetched).sum();
    }

    /** Fetched per needed byte; 0 where nothing was needed. */
    public double fetchedPerNeeded() {
        return neededBytes == 0 ? 0 : (double) fetchedBytes() / neededBytes;
    }
}
