package dev.penstock;

import dev.penstock.data.Batch;
import dev.penstock.data.BatchSpec;
import dev.penstock.engine.Delivered;
import dev.penstock.engine.Delivery;
import dev.penstock.engine.SampleOrder;
import dev.penstock.engine.Settings;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.GuardedProbe;
import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams a dataset, seen through a view, as batches.
 *
 * <pre>{@code
 * try (Loader loader = Loader.builder(drives, view).batchSize(32).shuffle(Shuffle.seed(7)).build()) {
 *   for (int epoch = 0; epoch < 10; epoch++) {
 *     for (Batch batch : loader) {            // each iterator is the next epoch
 *       trainer.step(batch.tensor("front"), batch.tensor("steering"));
 *     }
 *     System.out.println(loader.dataWait());
 *   }
 * }
 * }</pre>
 *
 * <p><b>Order.</b> The same dataset, view, seed and epoch give byte-identical batches in the same order at any
 * concurrency. <b>Memory.</b> A batch is borrowed until the following {@code next()}; see {@link Batch}. <b>Threads.</b>
 * One thread iterates; everything else may be called from any thread. Work is done on named daemon threads.
 *
 * <p><b>Ends.</b> An epoch's end does not stop the pipe: the next epoch's first batches are made meanwhile. Leaving the
 * loop early is safe; the next iterator starts the next epoch. A failure reaches {@code next()} as a
 * {@link LoaderException} that names the sample. {@link #close()} ends all threads and frees all memory, within its
 * deadline, from any thread.
 */
public final class Loader implements Iterable<Batch>, AutoCloseable {
    private final View view;
    private final SampleSource source;
    private final LoaderSettings settings;
    private final LoaderState start;
    private final Delivery delivery;

    private Loader(View view, SampleSource source, LoaderSettings settings, LoaderState start, Delivery delivery) {
        this.view = view;
        this.source = source;
        this.settings = settings;
        this.start = start;
        this.delivery = delivery;
    }

    /** A builder for a loader over {@code dataset} seen through {@code view}. */
    public static Builder builder(Dataset dataset, View view) {
        return new Builder(dataset, view);
    }

    /**
     * The next epoch. An earlier iterator that was not used up ends.
     *
     * @throws IllegalStateException when all of {@link Builder#epochs(int)} are over
     */
    @Override
    public Iterator<Batch> iterator() {
        return delivery.iterator();
    }

    /** How the present epoch goes, or how the last one went: the trainer's waits and the stages' counters. */
    public DataWaitReport dataWait() {
        return delivery.report();
    }

    /** Where the trainer stands, for {@link Builder#resume}. Moves at delivery, not at prefetch. Costs nothing. */
    public LoaderState state() {
        Delivery.Position at = delivery.position();
        return start.at(at.epoch(), at.position(), at.epochSamples(), ahead(at));
    }

    /** Ranks can't see each other's rows, so with several of them a state in mid-epoch says that samples may overtake. */
    private LoaderState.@Nullable Ahead ahead(Delivery.Position at) {
        Shard shard = settings.shard();
        boolean plain = at.ahead().equals(Delivered.NONE) && (shard.world() == 1 || settings.overtake() == 0);
        return plain ? null : LoaderState.Ahead.of(shard.rank(), at.ahead());
    }

    /** The view. */
    public View view() {
        return view;
    }

    /** The tensors of every batch. */
    public BatchSpec spec() {
        return source.spec();
    }

    /** The settings that the loader was built with. */
    public LoaderSettings settings() {
        return settings;
    }

    /** Samples of the dataset under the view, over all ranks. */
    public long samples() {
        return source.size();
    }

    /** Batches of one whole epoch on this rank. */
    public long batches() {
        SampleOrder order = settings.shuffle().order(source, start.epoch(), settings.batchSize());
        return settings.shard()
                .plan(order, settings.shuffle().substituteKey(start.epoch()), settings.batchSize(), 0)
                .batches();
    }

    /**
     * Changes who is told of every piece of work that ends from now on; {@link WorkProbe#NONE} for nobody. Costs two
     * reads of the thread's CPU clock a piece while someone is.
     */
    public void setWorkProbe(WorkProbe probe) {
        delivery.setWorkProbe(probe);
    }

    /** Batches in memory at most, by the settings: being made, finished, and the one with the trainer. */
    public int batchesInMemory() {
        return delivery.slabs();
    }

    /** Read workers now. */
    public int readConcurrency() {
        return delivery.readConcurrency();
    }

    /** Changes the number of read workers while running; at least 1. */
    public void setReadConcurrency(int threads) {
        delivery.setReadConcurrency(LoaderSettings.atLeast(1, threads, "readConcurrency"));
    }

    /** Decode workers now. */
    public int decodeConcurrency() {
        return delivery.decodeConcurrency();
    }

    /** Changes the number of decode workers while running; at least 1. The order of batches does not change. */
    public void setDecodeConcurrency(int threads) {
        delivery.setDecodeConcurrency(LoaderSettings.atLeast(1, threads, "decodeConcurrency"));
    }

    /**
     * Leaves the present epoch and does no work until the next iterator, so that the cores are the trainer's alone: for
     * baselines with fake batches, or while a validation runs.
     */
    public void idle() {
        delivery.idle();
    }

    /** Ends all threads and frees all memory but that of retained batches. Idempotent; from any thread. */
    @Override
    public void close() {
        delivery.close();
    }

    /** Collects a loader's settings. Not thread-safe. All of them are checked at once, in {@link #build()}. */
    public static final class Builder {
        private final Dataset dataset;
        private final View view;
        private SettingsDraft settings = new SettingsDraft(LoaderSettings.defaults());
        private DataWaitProbe probe = DataWaitProbe.NONE;
        private WorkProbe work = WorkProbe.NONE;
        private @Nullable LoaderState resume;
        private int firstEpoch;
        private LongSupplier clock = System::nanoTime;

        private Builder(Dataset dataset, View view) {
            this.dataset = dataset;
            this.view = view;
        }

        /** All settings at once, as read from JSON. */
        public Builder settings(LoaderSettings all) {
            settings = new SettingsDraft(all);
            return this;
        }

        /** Samples in a batch; default 8. */
        public Builder batchSize(int samples) {
            settings.batchSize = samples;
            return this;
        }

        /** The order; default {@link Shuffle#none()}. */
        public Builder shuffle(Shuffle order) {
            settings.shuffle = order;
            return this;
        }

        /** This rank's part of each epoch; default all of it. */
        public Builder shard(int rank, int world) {
            return shard(Shard.of(rank, world));
        }

        /** This rank's part of each epoch. */
        public Builder shard(Shard part) {
            settings.shard = part;
            return this;
        }

        /** Reads at the same time; default 2. Raise it for storage with latency. */
        public Builder readConcurrency(int threads) {
            settings.readConcurrency = threads;
            return this;
        }

        /** Decoders at the same time; default: cores less one, at least 1. */
        public Builder decodeConcurrency(int threads) {
            settings.decodeConcurrency = threads;
            return this;
        }

        /** Collate workers; default 1. */
        public Builder collateConcurrency(int threads) {
            settings.collateConcurrency = threads;
            return this;
        }

        /** Finished batches that may wait for the trainer; default 2. */
        public Builder prefetch(int batches) {
            settings.prefetch = batches;
            return this;
        }

        /** Cap on off-heap memory in bytes; default half of the machine's, within the JVM's direct-memory limit. */
        public Builder memory(long bytes) {
            settings.memory = bytes;
            return this;
        }

        /** Epochs after which nothing more is prepared; default no end. */
        public Builder epochs(int count) {
            settings.epochs = count;
            return this;
        }

        /** Longest wait of {@code next()} before it throws with the state of every queue; default 5 minutes. */
        public Builder nextTimeout(Duration longest) {
            settings.nextTimeoutMillis = longest.toMillis();
            return this;
        }

        /** Longest wait of {@code close()} for its threads; default 10 seconds. */
        public Builder closeTimeout(Duration longest) {
            settings.closeTimeoutMillis = longest.toMillis();
            return this;
        }

        /** Tries of a read that may succeed later; default 4. */
        public Builder readAttempts(int tries) {
            settings.readAttempts = tries;
            return this;
        }

        /**
         * Longest time that a worker may spend on one clip of a sample, reading and decoding, queues not counted. A sample
         * past it is bad, see {@link #onBad}; the worker that is stuck with it is replaced. Default no limit. Measured in
         * steps of an eighth.
         */
        public Builder sampleDeadline(Duration longest) {
            settings.sampleDeadlineMillis = longest.toMillis();
            return this;
        }

        /**
         * Lets at most {@code samples} samples be handed over before one that is late, where the trainer would have to
         * wait otherwise. Batches keep their size and each sample still comes once an epoch, but which batch it is in then
         * depends on timing. Default 0: strict order.
         */
        public Builder overtake(int samples) {
            settings.overtake = samples;
            return this;
        }

        /** Notes the stack of each {@code retain()}, to show it for batches that are never closed. Default off. */
        public Builder trackLeaks(boolean on) {
            settings.trackLeaks = on;
            return this;
        }

        /** What happens to a sample that can't be had; default {@link BadSamples#FAIL}. */
        public Builder onBad(BadSamples rule) {
            settings.badSamples = rule;
            return this;
        }

        /** A JSON Lines file that names each bad sample. */
        public Builder quarantine(Path file) {
            settings.badSamples = settings.badSamples.quarantine(file.toString());
            return this;
        }

        /**
         * Raises read and decode concurrency while running, from what they are set to, as long as batches come faster;
         * each decision is in {@link Loader#dataWait()}. Default off.
         */
        public Builder autotune(Autotune limits) {
            settings.autotune = limits;
            return this;
        }

        /** Tuning on line within the default limits. */
        public Builder autotune() {
            return autotune(Autotune.defaults());
        }

        /** Hears of every wait. */
        public Builder probe(DataWaitProbe listener) {
            probe = GuardedProbe.of(listener);
            return this;
        }

        /** Hears of every piece of work; see {@link Loader#setWorkProbe}. */
        public Builder workProbe(WorkProbe listener) {
            work = listener;
            return this;
        }

        /** Goes on where another run stood; see {@link Loader#state()}. */
        public Builder resume(LoaderState state) {
            resume = state;
            return this;
        }

        /** The epoch of the first iterator; default 0. A resumed loader has the state's. */
        public Builder startAtEpoch(int epoch) {
            firstEpoch = LoaderSettings.atLeast(0, epoch, "first epoch");
            return this;
        }

        /** Nanoseconds that never go back; for tests. */
        Builder clock(LongSupplier nanos) {
            clock = nanos;
            return this;
        }

        /**
         * Binds the view to the dataset (indexes clips, reads truth times), checks the settings and the memory that they
         * need, and makes the loader. No thread runs until the first iterator.
         *
         * @throws IllegalArgumentException naming every wrong setting at once
         * @throws ResumeException when the state is of another dataset, view or order
         * @throws IOException when the dataset can't serve the view or be read
         */
        public Loader build() throws IOException {
            Assembly parts = new Assembly(settings.settings(), view, probe, work, clock);
            parts.checkSettings();
            SampleSource source = dataset.bind(view);
            try {
                LoaderState start = parts.start(source);
                Settings engine = parts.engine(source, start, resume == null ? parts.at(start, firstEpoch) : resume);
                return new Loader(view, source, parts.settings(), start, new Delivery(source, engine));
            } catch (RuntimeException | Error e) {
                source.close();
                throw e;
            }
        }
    }
}
