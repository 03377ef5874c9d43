package dev.penstock.decode.clip;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClipIndexTest {
    @Test
    void framesAreShownPacketsInPresentationOrder() {
        ClipIndex index = TestIndexes.openGroups();
        assertThat(index.frameCount()).isEqualTo(17);
        for (int i = 0; i < 17; i++) {
            assertThat(index.ptsOf(i)).isEqualTo(i);
            assertThat(index.frameOf(index.packetOf(i))).isEqualTo(i);
        }
        assertThat(index.reorderDepth()).isEqualTo(2);
        assertThat(index.longestKeyDistance()).isEqualTo(8);
    }

    @Test
    void leadingPicturesOfAnOpenGroupEnterAtTheKeyBeforeTheirOwn() {
        ClipIndex index = TestIndexes.openGroups();
        assertThat(index.entryOf(4)).isEqualTo(0);
        assertThat(index.entryOf(5)).isEqualTo(0);
        assertThat(index.entryOf(7)).isEqualTo(0);
        assertThat(index.entryOf(8)).isEqualTo(5);
        assertThat(index.entryOf(9)).isEqualTo(5);
        assertThat(index.entryOf(15)).isEqualTo(5);
        assertThat(index.entryOf(16)).isEqualTo(13);
    }

    @Test
    void trimmedPacketsAreNotCountedButKeepTheirKeys() {
        PacketTable.Builder rows = new PacketTable.Builder();
        rows.add(-2, -2, 0, 10, 1, PacketTable.KEY | PacketTable.DISCARD);
        rows.add(-1, -1, 10, 10, 1, PacketTable.DISCARD);
        rows.add(0, 0, 20, 10, 1, 0);
        rows.add(1, 1, 30, 10, 1, 0);
        ClipIndex index = TestIndexes.of(rows);
        assertThat(index.frameCount()).isEqualTo(2);
        assertThat(index.ptsOf(0)).isZero();
        assertThat(index.entryOf(0)).isZero();
        assertThat(index.keyCount()).isEqualTo(1);
    }

    @Test
    void aFrameIsOnScreenFromItsTimeUpToTheNext() {
        PacketTable.Builder rows = new PacketTable.Builder();
        long[] ticks = {-10, 0, 3, 4, 9};
        for (int i = 0; i < ticks.length; i++) {
            rows.add(ticks[i], i, i, 1, i == 4 ? 6 : 1, PacketTable.KEY);
        }
        ClipIndex index = TestIndexes.of(rows);
        assertThat(index.startSeconds()).isEqualTo(-10 / 30.0);
        assertThat(index.endSeconds()).isEqualTo(0.5);
        assertThat(index.durationSeconds()).isEqualTo(25 / 30.0);
        assertThat(index.frameAt(-0.34)).isEqualTo(-1);
        assertThat(index.frameAt(-10 / 30.0)).isZero();
        assertThat(index.frameAt(-0.01)).isZero();
        assertThat(index.frameAt(0)).isEqualTo(1);
        assertThat(index.frameAt(0.0999)).isEqualTo(1);
        assertThat(index.frameAt(0.1)).isEqualTo(2);
        // Rounding of the caller's arithmetic does not fall back to the frame before.
        assertThat(index.frameAt(0.3 - 0.2)).isEqualTo(2);
        assertThat(index.frameAt(0.0999, 1e-3)).isEqualTo(2);
        assertThat(index.frameAt(0.499)).isEqualTo(4);
        assertThat(index.frameAt(0.5)).isEqualTo(-1);
        assertThat(index.frameAt(Double.NaN)).isEqualTo(-1);
        assertThat(index.frameAtOrNearest(-99)).isZero();
        assertThat(index.frameAtOrNearest(99)).isEqualTo(4);
        assertThat(index.nearestFrame(0.11)).isEqualTo(2);
        assertThat(index.nearestFrame(0.12)).isEqualTo(3);
    }

    @Test
    void framesWithTheSameTimeKeepTheirNumbers() {
        PacketTable.Builder rows = new PacketTable.Builder();
        rows.add(0, 0, 0, 1, 1, PacketTable.KEY);
        rows.add(1, 1, 1, 1, 1, 0);
        rows.add(1, 2, 2, 1, 1, 0);
        rows.add(2, 3, 3, 1, 1, 0);
        ClipIndex index = TestIndexes.of(rows);
        assertThat(index.frameCount()).isEqualTo(4);
        assertThat(index.packetOf(1)).isEqualTo(1);
        assertThat(index.packetOf(2)).isEqualTo(2);
        assertThat(index.frameAt(1 / 30.0)).isEqualTo(2);
    }
}
