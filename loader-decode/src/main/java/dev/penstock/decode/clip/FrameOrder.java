package dev.penstock.decode.clip;

import java.util.Arrays;

/** Derives presentation order from a packet table. */
final class FrameOrder {
    private FrameOrder() {}

    /** Shown packets, stably sorted by presentation time: duplicates keep their decode order. */
    static int[] byTime(PacketTable packets) {
        int n = 0;
        for (int i = 0; i < packets.count(); i++) {
            if (packets.shown(i)) {
                n++;
            }
        }
        int[] order = new int[n];
        boolean sorted = true;
        int at = 0;
        for (int i = 0; i < packets.count(); i++) {
            if (packets.shown(i)) {
                order[at] = i;
                sorted &= at == 0 || packets.pts(order[at - 1]) <= packets.pts(i);
                at++;
            }
        }
        if (!sorted) {
            mergeSort(order, order.clone(), 0, n, packets.pts);
        }
        return order;
    }

    /** Sorts {@code target[from, to)} by {@code pts}; {@code spare} holds the same values. Stable, no boxing. */
    private static void mergeSort(int[] target, int[] spare, int from, int to, long[] pts) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(spare, target, from, middle, pts);
        mergeSort(spare, target, middle, to, pts);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right >= to || (left < middle && pts[spare[left]] <= pts[spare[right]]);
            target[i] = takeLeft ? spare[left++] : spare[right++];
        }
    }

    static int[] inverse(int[] frameToPacket, int packetCount) {
        int[] inverse = new int[packetCount];
        Arrays.fill(inverse, -1);
        for (int frame = 0; frame < frameToPacket.length; frame++) {
            inverse[frameToPacket[frame]] = frame;
        }
        return inverse;
    }

    static int[] keys(PacketTable packets) {
        int n = 0;
        for (int i = 0; i < packets.count(); i++) {
            n += packets.is(PacketTable.KEY, i) ? 1 : 0;
        }
        int[] keys = new int[n];
        int at = 0;
        for (int i = 0; i < packets.count(); i++) {
            if (packets.is(PacketTable.KEY, i)) {
                keys[at++] = i;
            }
        }
        return keys;
    }

    /**
     * Most packets that precede some packet in decode order and follow it in presentation order: H.264's
     * max_num_reorder_frames, measured. Capped at 16, the most that H.264 and HEVC allow.
     */
    static int reorderDepth(PacketTable packets) {
        int depth = 0;
        for (int i = 0; i < packets.count() && depth < 16; i++) {
            long pts = packets.pts(i);
            if (pts == PacketTable.NO_TIME) {
                continue;
            }
            int later = 0;
            for (int j = Math.max(0, i - 32); j < i; j++) {
                later += packets.pts(j) > pts ? 1 : 0;
            }
            depth = Math.max(depth, later);
        }
        return Math.min(depth, 16);
    }
}
