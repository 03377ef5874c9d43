package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.engine.EpochPlan;
import dev.penstock.engine.SampleOrder;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Column;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {
    private static final View VIEW =
            View.builder().truth("any", Column.float32()).build();

    private final CountedSource large = new CountedSource("large", 3, 30, 41, 29);
    private final CountedSource small = new CountedSource("small", 90, 7, 6);

    @Test
    void anyStretchHasTheWeightsToWithinOneSample() throws IOException {
        SampleOrder order = order(mix(3, 1).length(1_000), Shuffle.seed(1), 0, 1);
        for (int from = 0; from < 996; from++) {
            long fromLarge = LongStream.range(from, from + 4)
                    .filter(i -> order.sample(i) < 100)
                    .count();
            assertThat(fromLarge).isBetween(2L, 4L);
        }
        assertThat(LongStream.range(0, 1_000).filter(i -> order.sample(i) < 100))
                .hasSize(750);
    }

    @Test
    void oddWeightsAreKeptOverALongRun() throws IOException {
        SampleOrder order = order(mix(Math.PI, 1).length(100_000), Shuffle.full(1), 0, 1);
        long fromLarge =
                LongStream.range(0, 100_000).filter(i -> order.sample(i) < 100).count();
        assertThat(fromLarge / 100_000.0).isBetween(0.7584, 0.7586); // π / (π + 1) = 0.75854
    }

    @Test
    void firstExhaustedEndsWithTheLastSampleOfTheFirstToRunOut() throws IOException {
        SampleOrder order = order(mix(3, 1), Shuffle.seed(1), 0, 1);
        List<Long> samples = samples(order);
        assertThat(samples).doesNotHaveDuplicates();
        assertThat(samples.stream().filter(sample -> sample >= 100)).hasSize(13);
        assertThat(samples.get(samples.size() - 1)).isGreaterThanOrEqualTo(100);
    }

    @Test
    void allExhaustedGivesEverySampleAtLeastOnceAndRepeatsInAnotherOrder() throws IOException {
        List<Long> samples = samples(order(mix(3, 1).stop(Mix.Stop.ALL_EXHAUSTED), Shuffle.full(1), 0, 1));
        assertThat(samples.stream().distinct()).hasSize(113);
        assertThat(samples.stream().filter(sample -> sample < 100)).hasSize(100);
        List<Long> ofSmall = samples.stream().filter(sample -> sample >= 100).toList();
        assertThat(ofSmall.subList(0, 13)).doesNotHaveDuplicates();
        assertThat(ofSmall.subList(13, 26)).doesNotHaveDuplicates().isNotEqualTo(ofSmall.subList(0, 13));
    }

    @Test
    void whatAnEpochDoesNotUseComesInTheNext() throws IOException {
        List<Long> ofLarge = new ArrayList<>();
        for (int epoch = 0; epoch < 6; epoch++) {
            samples(order(mix(3, 1), Shuffle.seed(5), epoch, 1)).stream()
                    .filter(sample -> sample < 100)
                    .forEach(ofLarge::add);
        }
        assertThat(ofLarge).hasSizeGreaterThan(200);
        assertThat(ofLarge.subList(0, 100)).doesNotHaveDuplicates();
        assertThat(ofLarge.subList(100, 200)).doesNotHaveDuplicates();
    }

    @Test
    void byBatchEveryBatchIsOfOneDatasetAndTheWeightsHold() throws IOException {
        Mix mix = mix(3, 1).by(Mix.By.BATCH).stop(Mix.Stop.ALL_EXHAUSTED);
        SampleOrder order = order(mix, Shuffle.seed(2), 0, 8);
        assertThat(order.size() % 8).isZero();
        int ofSmall = 0;
        for (long batch = 0; batch < order.size() / 8; batch++) {
            long first = batch * 8;
            long inSmall = LongStream.range(first, first + 8)
                    .filter(i -> order.sample(i) >= 100)
                    .count();
            assertThat(inSmall).isIn(0L, 8L);
            ofSmall += inSmall == 8 ? 1 : 0;
        }
        assertThat((double) ofSmall).isEqualTo(order.size() / 32.0, within(1.0));
        assertThat(samples(order).stream().distinct()).hasSize(113);
    }

    @ParameterizedTest
    @EnumSource(Mix.By.class)
    void ranksAndResumeCutTheSameOrder(Mix.By by) throws IOException {
        SampleOrder order = order(mix(2, 1).by(by).stop(Mix.Stop.ALL_EXHAUSTED), Shuffle.seed(2), 4, 4);
        for (int world : new int[] {1, 2, 3}) {
            List<Long> resumed = new ArrayList<>();
            EpochPlan first = Shard.of(0, 1).plan(order, 0, 4, 0);
            long position = first.positionAfter(5);
            EpochPlan[] plans = new EpochPlan[world];
            for (int rank = 0; rank < world; rank++) {
                plans[rank] = Shard.of(rank, world).plan(order, 0, 4, position);
            }
            for (long batch = 0; batch < plans[0].batches(); batch++) {
                for (EpochPlan plan : plans) {
                    long[] samples = new long[4];
                    boolean[] padding = new boolean[4];
                    int rows = plan.fill(batch, samples, padding);
                    for (int row = 0; row < rows; row++) {
                        if (!padding[row]) {
                            resumed.add(samples[row]);
                        }
                    }
                }
            }
            List<Long> all = samples(order);
            assertThat(resumed).isEqualTo(all.subList((int) position, all.size()));
        }
    }

    @Test
    void aMixByBatchMustKeepItsBatchSizeOnResume() throws IOException {
        try (SampleSource source = mix(3, 1).by(Mix.By.BATCH).bind(VIEW)) {
            LoaderState taken = LoaderState.start(source, VIEW, Shuffle.none(), 8, 1);
            assertThatThrownBy(() -> taken.checkFits(LoaderState.start(source, VIEW, Shuffle.none(), 4, 1), 0))
                    .hasMessageContaining("batch size was 8 and is 4");
        }
    }

    @Test
    void anotherWeightRuleOrContentIsAnotherFingerprint() throws IOException {
        List<String> fingerprints = new ArrayList<>();
        for (Mix mix : List.of(
                mix(3, 1),
                mix(3, 2),
                mix(3, 1).by(Mix.By.BATCH),
                mix(3, 1).stop(Mix.Stop.ALL_EXHAUSTED),
                mix(3, 1).length(9),
                Mix.of(dataset("large", large), 3).and(dataset("other", CountedSource.even(1, 13)), 1))) {
            fingerprints.add(mix.bind(VIEW).fingerprint());
        }
        assertThat(fingerprints).doesNotHaveDuplicates();
    }

    @Test
    void eachRowIsDecodedAndCollatedByItsOwnSource() throws IOException, SampleException {
        try (SampleSource source = mix(3, 1).bind(VIEW)) {
            long[] samples = {5, 6, 101, 99, 112, 110, 0, 100};
            ByteTarget target = new ByteTarget(samples.length);
            int[] rows = {0, 1, 2, 3, 4, 5, 6, 7};
            try (SampleDecoder decoder = source.newDecoder()) {
                for (DecodeWork work : source.plan(samples, rows, rows.length)) {
                    decoder.decode(work, read(work), target);
                }
            }
            ReadRequest truth = source.truth(samples, samples.length);
            assertThat(truth).isNotNull();
            try (SampleCollator collator = source.newCollator()) {
                collator.collate(samples, samples.length, truth, read(truth), target);
            }
            List<Byte> ragged = new ArrayList<>();
            for (int row = 0; row < samples.length; row++) {
                CountedSource own = samples[row] < 100 ? large : small;
                long sample = samples[row] < 100 ? samples[row] : samples[row] - 100;
                assertThat(target.dense.get(row)).isEqualTo((byte) own.byteAt(sample));
                for (int copy = 0; copy < sample % 3; copy++) {
                    ragged.add((byte) own.byteAt(sample + 1));
                }
                assertThat(source.identify(samples[row]).dataset()).isEqualTo(samples[row] < 100 ? "large" : "small");
            }
            assertThat(target.ragged).isEqualTo(ragged);
            assertThat(target.rowsEnded).isEqualTo(samples.length);
        }
    }

    @Test
    void blocksAndScratchAreThoseOfAllSources() throws IOException {
        try (SampleSource source = mix(3, 1).bind(VIEW)) {
            assertThat(LongStream.rangeClosed(0, source.blocks()).map(block -> source.blockStart((int) block)))
                    .containsExactly(0L, 30L, 71L, 100L, 107L, 113L);
            assertThat(source.decoderScratch()).isEqualTo(20);
        }
    }

    @Test
    void whatCannotBeMixedSaysWhichAndWhy() {
        assertThatThrownBy(() -> mix(3, 0)).hasMessageContaining("weight was 0.0, must be above 0");
        assertThatThrownBy(() -> mix(1e9, 1)).hasMessageContaining("below the least share of 1 in 10000");
        assertThatThrownBy(() -> mix(3, 1)
                        .and(dataset("nothing", new CountedSource("nothing", 0)), 1)
                        .bind(VIEW))
                .hasMessageContaining("dataset 3 of a mix, nothing, has no sample");
        assertThatThrownBy(() -> order(mix(3, 1).by(Mix.By.BATCH), Shuffle.none(), 0, 14))
                .hasMessageContaining("small has 13 samples, not one whole batch of 14");
        assertThatThrownBy(() -> mix(3, 1).and(dataset("text", textSource()), 1).bind(VIEW))
                .hasMessageContaining("dataset 3 of a mix, text, gives other tensors than the first");
    }

    private Mix mix(double weightOfLarge, double weightOfSmall) {
        return Mix.of(dataset("large", large), weightOfLarge).and(dataset("small", small), weightOfSmall);
    }

    private static SampleOrder order(Mix mix, Shuffle shuffle, int epoch, int batchSize) throws IOException {
        return shuffle.order(mix.bind(VIEW), epoch, batchSize);
    }

    private static List<Long> samples(SampleOrder order) {
        return LongStream.range(0, order.size()).mapToObj(order::sample).toList();
    }

    private static Dataset dataset(String name, SampleSource source) {
        return new Dataset() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public SampleSource bind(View view) {
                return source;
            }
        };
    }

    private static SampleSource textSource() {
        return new CountedSource("text", 0, 5) {
            @Override
            public BatchSpec spec() {
                return new BatchSpec(List.of(TensorSpec.dense("first", ElementType.INT64)));
            }
        };
    }

    private static ByteBuffer read(ReadRequest request) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(request.totalLength()));
        for (int i = 0; i < request.ranges(); i++) {
            bytes.limit(bytes.position() + request.length(i));
            request.blob(i).read(request.offset(i), bytes);
        }
        return bytes.flip();
    }

    /** A batch of one byte a row and ragged bytes. */
    private static final class ByteTarget implements BatchTarget {
        private final ByteBuffer dense;
        private final List<Byte> ragged = new ArrayList<>();
        private int rowsEnded;

        ByteTarget(int rows) {
            dense = ByteBuffer.allocateDirect(rows);
        }

        @Override
        public int rows() {
            return dense.capacity();
        }

        @Override
        public ByteBuffer dense(int column) {
            return dense;
        }

        @Override
        public RaggedWriter ragged(int column) {
            return new RaggedWriter() {
                private ByteBuffer reserved = ByteBuffer.allocate(0);

                @Override
                public ByteBuffer reserve(int bytes) {
                    reserved = ByteBuffer.allocate(bytes);
                    return reserved;
                }

                @Override
                public void endRow() {
                    for (int i = 0; i < reserved.position(); i++) {
                        ragged.add(reserved.get(i));
                    }
                    reserved = ByteBuffer.allocate(0);
                    rowsEnded++;
                }
            };
        }

        @Override
        public void fail(int row, SampleException why) {
            throw new AssertionError(why);
        }

        @Override
        public boolean hasFailed(int row) {
            return false;
        }
    }
}
