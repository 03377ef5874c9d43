package dev.penstock.engine;

import dev.penstock.probe.StorageUse;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.SampleSource;
import dev.penstock.spi.StoreStats;
import java.util.ArrayList;
import java.util.List;

/** What the stores of one source did since an instant. Guarded by its {@link Delivery}. */
final class StorageWatch {
    private final List<BlobStore> stores;
    private List<StoreStats> start = List.of();
    private long neededAtStart;
    private long askedAtStart;

    StorageWatch(SampleSource source) {
        stores = List.copyOf(source.stores());
    }

    /** The interval starts now. */
    void reset(long needed, long asked) {
        start = now();
        neededAtStart = needed;
        askedAtStart = asked;
    }

    /** The interval until now. */
    StorageUse use(long needed, long asked) {
        List<StoreStats> present = now();
        List<StoreStats> done = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            StoreStats between =
                    start.isEmpty() ? present.get(i) : present.get(i).since(start.get(i));
            if (between.used()) {
                done.add(between);
            }
        }
        return new StorageUse(needed - neededAtStart, asked - askedAtStart, done);
    }

    private List<StoreStats> now() {
        return stores.stream().map(BlobStore::stats).toList();
    }
}
