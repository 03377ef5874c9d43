package dev.penstock;

import dev.penstock.engine.Autotuner;
import dev.penstock.engine.BadSampleRule;
import dev.penstock.engine.Delivered;
import dev.penstock.engine.EpochPlan;
import dev.penstock.engine.EpochPlans;
import dev.penstock.engine.MemoryNeed;
import dev.penstock.engine.ReadRetry;
import dev.penstock.engine.SampleOrder;
import dev.penstock.engine.Settings;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What {@link Loader.Builder#build()} does: checks everything at once and makes the engine's settings. */
record Assembly(LoaderSettings settings, View view, DataWaitProbe probe, WorkProbe work, LongSupplier clock) {

    /** Refuses wrong settings before the dataset is touched. */
    void checkSettings() {
        List<String> wrong = settings.complaints();
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(
                    wrong.size() == 1
                            ? wrong.get(0)
                            : String.format(
                                    Locale.ROOT, "%d settings are wrong: %s", wrong.size(), String.join("; ", wrong)));
        }
    }

    /** The state of a loader over {@code source} that has delivered nothing. */
    LoaderState start(SampleSource source) {
        return LoaderState.start(
                source,
                view,
                settings.shuffle(),
                settings.batchSize(),
                settings.shard().world());
    }

    /** The start of a later epoch. */
    LoaderState at(LoaderState start, int epoch) {
        return start.at(epoch, 0, Long.MAX_VALUE);
    }

    /**
     * The engine's settings.
     *
     * @param start the loader's own state at the very start
     * @param wanted where to begin
     * @throws IllegalArgumentException when there is too little memory or data, naming all that is wrong
     * @throws ResumeException when {@code wanted} is of another dataset, view or order
     */
    Settings engine(SampleSource source, LoaderState start, LoaderState wanted) {
        wanted.checkFits(start, settings.shard().rank());
        LoaderState from = withoutEmptyRest(source, wanted);
        long memory = settings.memory() > 0 ? settings.memory() : MemoryNeed.defaultBudget();
        Settings engine = engine(source, from, memory);
        String complaint = engine.need(source).complaint(memory);
        if (complaint != null) {
            throw new IllegalArgumentException(complaint);
        }
        EpochPlan first = engine.plans().of(from.epoch()); // a rank without data is refused here
        if (first.batches() == 0) {
            throw new IllegalArgumentException("the epoch has no batch for this rank: " + source.size()
                    + " samples, batch size " + settings.batchSize() + ", world "
                    + settings.shard().world() + "; use a smaller batch, fewer ranks, or the ending PAD");
        }
        return engine;
    }

    /** Another cut may leave less of the epoch than one round, to be dropped: then the next epoch comes. */
    private LoaderState withoutEmptyRest(SampleSource source, LoaderState state) {
        if (state.position() == 0 && state.ahead() == null) {
            return state;
        }
        EpochPlan rest = plan(source, state, state.epoch());
        return rest.batches() > 0 ? state : state.at(state.epoch(), rest.epochSamples(), rest.epochSamples());
    }

    private EpochPlan plan(SampleSource source, LoaderState from, int epoch) {
        SampleOrder order = settings.shuffle().order(source, epoch, settings.batchSize());
        boolean resumed = epoch == from.epoch();
        return settings.shard()
                .plan(
                        order,
                        settings.shuffle().substituteKey(epoch),
                        settings.batchSize(),
                        resumed ? from.position() : 0,
                        resumed ? from.delivered() : Delivered.NONE);
    }

    private Settings engine(SampleSource source, LoaderState from, long memory) {
        long round = (long) settings.batchSize() * settings.shard().world();
        return new Settings(
                settings.batchSize(),
                settings.readConcurrency(),
                settings.decodeConcurrency(),
                settings.collateConcurrency(),
                settings.prefetch(),
                memory,
                settings.nextTimeoutMillis() * 1_000_000,
                settings.closeTimeoutMillis() * 1_000_000,
                new EpochPlans(epoch -> plan(source, from, epoch)),
                from.epoch(),
                from.position() / round + from.delivered().count() / settings.batchSize(),
                settings.epochs(),
                badSampleRule(),
                new ReadRetry(settings.readAttempts(), ReadRetry.DEFAULT.firstPauseNanos()),
                settings.sampleDeadlineMillis() * 1_000_000,
                settings.overtake(),
                settings.overtake() > 0 || from.ahead() != null,
                settings.trackLeaks(),
                probe,
                work,
                clock,
                limits());
    }

    private BadSampleRule badSampleRule() {
        BadSamples bad = settings.badSamples();
        return new BadSampleRule(
                BadSampleRule.Kind.valueOf(bad.rule().name()), bad.mostShare(), bad.mostCount(), bad.quarantine());
    }

    private Autotuner.@Nullable Limits limits() {
        Autotune limits = settings.autotune();
        return limits == null
                ? null
                : new Autotuner.Limits(limits.mostRead(), limits.mostDecode(), limits.mostCpuShare());
    }
}
