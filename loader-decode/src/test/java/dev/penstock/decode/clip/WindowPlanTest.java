package dev.penstock.decode.clip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WindowPlanTest {
    private static List<String> segments(WindowPlan plan) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < plan.segmentCount(); i++) {
            list.add(plan.segmentFirst(i) + "-" + plan.segmentLast(i));
        }
        return list;
    }

    private static WindowPlan plan(ClipIndex index, int... frames) {
        return new WindowPlan().plan(index, frames, 0, frames.length);
    }

    @Test
    void runsGoFromTheKeyToTheLastWantedPacket() {
        ClipIndex index = TestIndexes.plain(100, 10);
        assertThat(segments(plan(index, 13, 14, 17))).containsExactly("10-17");
        assertThat(segments(plan(index, 9, 10, 11))).containsExactly("0-11");
        assertThat(segments(plan(index, 12, 35, 36, 71))).containsExactly("10-12", "30-36", "70-71");
        assertThat(segments(plan(index, 0))).containsExactly("0-0");
    }

    @Test
    void leadingPicturesReachBackAndJoinTheRunBefore() {
        ClipIndex index = TestIndexes.openGroups();
        assertThat(segments(plan(index, 7))).containsExactly("0-8");
        assertThat(segments(plan(index, 8))).containsExactly("5-5");
        assertThat(segments(plan(index, 1, 16))).containsExactly("0-3", "13-13");
    }

    @Test
    void rangesJoinOverSmallGapsOnly() {
        ClipIndex index = TestIndexes.plain(100, 10);
        int[] frames = {12};
        WindowPlan joined = new WindowPlan(900).plan(index, frames, 0, 1);
        assertThat(joined.rangeCount()).isEqualTo(1);
        assertThat(joined.rangeOffset(0)).isEqualTo(15_000);
        assertThat(joined.byteCount()).isEqualTo(2_100);
        assertThat(joined.positionOf(16_000, 100)).isEqualTo(1_000);
        WindowPlan apart = new WindowPlan(899).plan(index, frames, 0, 1);
        assertThat(apart.rangeCount()).isEqualTo(3);
        assertThat(apart.byteCount()).isEqualTo(300);
        assertThat(apart.positionOf(17_000, 100)).isEqualTo(200);
        assertThat(apart.positionOf(15_000, 100)).isZero();
        assertThat(apart.positionOf(15_001, 100)).isEqualTo(-1);
    }

    @Test
    void packetsKnownToBeNeedlessAreNotRead() {
        ClipIndex index = TestIndexes.openGroups();
        int[] frames = {12};
        // 5..9: the key I8, B6, b5, b7, P12; the two b are left out.
        WindowPlan plan = new WindowPlan(0).plan(index, frames, 0, 1);
        assertThat(segments(plan)).containsExactly("5-9");
        assertThat(plan.byteCount()).isEqualTo(300);
        assertThat(new WindowPlan(0).dropping(false).plan(index, frames, 0, 1).byteCount())
                .isEqualTo(500);
    }

    @Test
    void aPlanThatContinuesReadsOnByTwiceTheReorderDepthAndKeepsWhatFollows() {
        ClipIndex index = TestIndexes.openGroups();
        int[] frames = {0, 1, 2};
        WindowPlan plan = new WindowPlan(0).ending(WindowPlan.Ending.CONTINUE).plan(index, frames, 0, 3);
        assertThat(segments(plan)).containsExactly("0-7");
        assertThat(plan.drops(index, 4)).isFalse();
        int[] next = {3, 4};
        plan.planFrom(index, next, 0, 2, 6);
        assertThat(plan.resumeAt()).isEqualTo(6);
        assertThat(plan.rangeOffset(0)).isGreaterThanOrEqualTo(500);
    }

    @Test
    void wholeBlobIsReadWherePacketsHaveNoRanges() {
        PacketTable.Builder rows = new PacketTable.Builder();
        rows.add(0, 0, 7, 100, 1, PacketTable.KEY);
        ClipIndex index = TestIndexes.of(rows, ClipIndex.Access.DEMUX, TestIndexes.H264);
        WindowPlan plan = plan(index, 0);
        assertThat(plan.rangeCount()).isEqualTo(1);
        assertThat(plan.rangeOffset(0)).isZero();
        assertThat(plan.byteCount()).isEqualTo(1_000_000);
    }

    @Test
    void framesMustAscendAndExist() {
        ClipIndex index = TestIndexes.plain(10, 5);
        assertThatThrownBy(() -> plan(index, 3, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 follows 3");
        assertThatThrownBy(() -> plan(index, 10))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("frame 10")
                .hasMessageContaining("10 frames");
        assertThat(plan(index, 3, 3, 4).wantedCount()).isEqualTo(3);
    }

    @Test
    void everyPacketOfEveryRunIsFoundInTheBytes() {
        ClipIndex index = TestIndexes.plain(200, 30);
        for (int first = 0; first < 150; first += 7) {
            int start = first;
            int[] frames = IntStream.range(0, 12).map(i -> start + i * 4).toArray();
            WindowPlan plan = new WindowPlan(500).plan(index, frames, 0, frames.length);
            for (int s = 0; s < plan.segmentCount(); s++) {
                for (int p = plan.segmentFirst(s); p <= plan.segmentLast(s); p++) {
                    assertThat(plan.positionOf(index.packets().pos(p), 100)).isBetween(0, (int) plan.byteCount() - 100);
                }
            }
        }
    }
}
