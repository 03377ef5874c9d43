package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationTest {

    @Test
    void everySizeUpTo2000IsABijectionWithItsInverse() {
        for (int size = 1; size <= 2_000; size++) {
            Permutation permutation = new Permutation(size, Keys.of(size, 11));
            boolean[] seen = new boolean[size];
            for (int i = 0; i < size; i++) {
                int element = (int) permutation.at(i);
                if (seen[element] || permutation.indexOf(element) != i) {
                    fail("size %d: element %d at %d came twice, or its inverse is wrong", size, element, i);
                }
                seen[element] = true;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {(1L << 40) - 1, 1L << 40, (1L << 40) + 1, 1_234_567_890_123L, (1L << 61) + 7, Permutation.MAX_SIZE
            })
    void hugeSizesHaveAnInverseAndStayInside(long size) {
        Permutation permutation = new Permutation(size, 5);
        SplittableRandom random = new SplittableRandom(size);
        for (int i = 0; i < 10_000; i++) {
            long index = random.nextLong(size);
            long element = permutation.at(index);
            assertThat(element).isBetween(0L, size - 1);
            assertThat(permutation.indexOf(element)).isEqualTo(index);
        }
    }

    /** 4! = 24 orders over 48,000 keys: chi-square with 23 degrees of freedom; 58 is passed by chance once in 10,000. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void everyOrderOfAFewElementsIsAsLikely(int size) {
        int orders = size == 3 ? 6 : size == 4 ? 24 : 120;
        Map<String, Integer> counts = new HashMap<>();
        int draws = orders * 2_000;
        for (int key = 0; key < draws; key++) {
            Permutation permutation = new Permutation(size, Keys.of(99, key));
            StringBuilder order = new StringBuilder();
            for (int i = 0; i < size; i++) {
                order.append(permutation.at(i));
            }
            counts.merge(order.toString(), 1, Integer::sum);
        }
        assertThat(counts).hasSize(orders);
        double chiSquare = counts.values().stream()
                .mapToDouble(n -> (n - 2_000.0) * (n - 2_000.0) / 2_000)
                .sum();
        int freedom = orders - 1;
        assertThat(chiSquare).isLessThan(freedom + 5 * Math.sqrt(2.0 * freedom));
    }

    /** Each element's place is uniform over keys, and so is the distance of elements that were neighbours. */
    @ParameterizedTest
    @ValueSource(ints = {33, 64, 100, 1_000})
    void placesAndNeighbourDistancesAreUniform(int size) {
        int[] places = new int[size];
        int[] distances = new int[size];
        int draws = 400 * size;
        SplittableRandom random = new SplittableRandom(3);
        for (int draw = 0; draw < draws; draw++) {
            Permutation permutation = new Permutation(size, random.nextLong());
            int index = draw % (size - 1);
            long here = permutation.at(index);
            places[(int) here]++;
            distances[(int) Math.floorMod(permutation.at(index + 1) - here, (long) size)]++;
        }
        assertThat(distances[0]).isZero();
        assertUniform(places, draws, size);
        assertUniform(Arrays.copyOfRange(distances, 1, size), draws, size - 1);
    }

    /** Within one order: pairs of elements some way apart fall into 16 × 16 cells alike. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 16, 64, 128, 1_000})
    void elementsNearEachOtherInOneOrderAreUnrelated(int lag) {
        int size = 120_000;
        for (int key = 0; key < 5; key++) {
            Permutation permutation = new Permutation(size, Keys.of(17, key));
            int[] cells = new int[256];
            for (int i = 0; i + lag < size; i++) {
                cells[(int) (permutation.at(i) * 16 / size * 16 + permutation.at(i + lag) * 16 / size)]++;
            }
            assertUniform(cells, size - lag, 256);
        }
    }

    @Test
    void anotherKeyIsAnotherOrder() {
        Permutation first = new Permutation(1_000, Keys.of(7, 0));
        Permutation second = new Permutation(1_000, Keys.of(7, 1));
        int same = 0;
        for (int i = 0; i < 1_000; i++) {
            same += first.at(i) == second.at(i) ? 1 : 0;
        }
        assertThat(same).isLessThan(10); // 1 is expected
    }

    @Test
    void wrongSizesAndIndicesAreRefused() {
        assertThatThrownBy(() -> new Permutation(0, 1)).hasMessageContaining("size was 0");
        assertThatThrownBy(() -> new Permutation(5, 1).at(5)).hasMessageContaining("index 5 of a permutation of 5");
        assertThatThrownBy(() -> new Permutation(5, 1).indexOf(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void assertUniform(int[] counts, int draws, int cells) {
        double expected = (double) draws / cells;
        double chiSquare = Arrays.stream(counts)
                .mapToDouble(n -> (n - expected) * (n - expected) / expected)
                .sum();
        int freedom = cells - 1;
        assertThat(chiSquare).isBetween(freedom - 5 * Math.sqrt(2.0 * freedom), freedom + 5 * Math.sqrt(2.0 * freedom));
    }
}
