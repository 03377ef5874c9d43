package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockOrderTest {

    @ParameterizedTest(name = "draw {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everySampleComesOnceWhateverTheBlocksAndTheBuffer(long draw) {
        SplittableRandom random = new SplittableRandom(draw);
        for (int round = 0; round < 40; round++) {
            long[] starts = new long[2 + random.nextInt(60)];
            int longest = 1 + random.nextInt(200);
            for (int block = 1; block < starts.length; block++) {
                starts[block] = starts[block - 1] + random.nextInt(longest);
            }
            int buffer = 1 + random.nextInt(random.nextBoolean() ? 10 : 3_000);
            int interleave = 1 + random.nextInt(40);
            SampleOrder order = SampleOrder.blocks(starts, buffer, interleave, random.nextLong());
            long[] samples = samples(order);
            Arrays.sort(samples);
            assertThat(samples)
                    .as("blocks %s, buffer %d, interleave %d", Arrays.toString(starts), buffer, interleave)
                    .isEqualTo(LongStream.range(0, starts[starts.length - 1]).toArray());
        }
    }

    @Test
    void theSameInputsGiveTheSameOrderAndAnotherKeyAnother() {
        long[] starts = evenBlocks(50, 100);
        long[] first = samples(SampleOrder.blocks(starts, 500, 8, 1));
        assertThat(samples(SampleOrder.blocks(starts, 500, 8, 1))).isEqualTo(first);
        long[] other = samples(SampleOrder.blocks(starts, 500, 8, 2));
        long same = LongStream.range(0, first.length)
                .filter(i -> first[(int) i] == other[(int) i])
                .count();
        assertThat(same).isLessThan(20); // about 1 is expected
    }

    @Test
    void aBufferOfOneLongBlockStillDrawsFromAsManyBlocksAsAsked() {
        int length = 10_000;
        SampleOrder order = SampleOrder.blocks(evenBlocks(32, length), 1_024, 16, 5);
        long[] samples = samples(order);
        for (int from = 0; from + 512 <= samples.length; from += 512) {
            Set<Long> blocks = new HashSet<>();
            for (int i = from; i < from + 512; i++) {
                blocks.add(samples[i] / length);
            }
            assertThat(blocks).as("positions from %d", from).hasSizeGreaterThanOrEqualTo(15);
        }
    }

    @Test
    void eachBlockIsGoneThroughNearItsOwnOrderSoThatReadsStayNear() {
        int length = 4_000;
        long[] samples = samples(SampleOrder.blocks(evenBlocks(40, length), 800, 8, 9));
        long[] highest = new long[40];
        long farthestBack = 0;
        for (long sample : samples) {
            int block = (int) (sample / length);
            long within = sample % length;
            // a slice holds about 100 samples of a block: nothing comes more than one slice behind what came before
            farthestBack = Math.max(farthestBack, highest[block] - within);
            highest[block] = Math.max(highest[block], within);
        }
        assertThat(farthestBack).isBetween(1L, 110L);
    }

    @Test
    void noMoreBlocksAreOpenAtATimeThanAsked() {
        int length = 1_000;
        long[] samples = samples(SampleOrder.blocks(evenBlocks(64, length), 256, 4, 3));
        for (int from = 0; from + 256 <= samples.length; from += 256) {
            Set<Long> blocks = new HashSet<>();
            for (int i = from; i < from + 256; i++) {
                blocks.add(samples[i] / length);
            }
            assertThat(blocks).hasSizeLessThanOrEqualTo(8); // 4, or twice as many where lanes change blocks
        }
    }

    @Test
    void aHugeEpochIsReachedAtAnyPositionWithoutMemoryASample() {
        long[] starts = new long[1_001];
        for (int block = 1; block <= 1_000; block++) {
            starts[block] = starts[block - 1] + (1L << 40) + block;
        }
        SampleOrder order = SampleOrder.blocks(starts, 100_000, 16, 77);
        SplittableRandom random = new SplittableRandom(1);
        Set<Long> seen = new HashSet<>();
        long from = order.size() / 3;
        for (int i = 0; i < 50_000; i++) {
            seen.add(order.sample(from + i));
        }
        assertThat(seen).hasSize(50_000).allMatch(sample -> sample >= 0 && sample < order.size());
        for (int i = 0; i < 1_000; i++) {
            assertThat(order.sample(random.nextLong(order.size()))).isBetween(0L, order.size() - 1);
        }
        assertThat(order.sample(order.size() - 1)).isBetween(0L, order.size() - 1);
    }

    static long[] evenBlocks(int blocks, int length) {
        return LongStream.rangeClosed(0, blocks).map(block -> block * length).toArray();
    }

    static long[] samples(SampleOrder order) {
        return LongStream.range(0, order.size()).map(order::sample).toArray();
    }
}
