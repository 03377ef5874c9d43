package dev.penstock.decode.clip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClipIndexFileTest {
    private static ClipIndex wild() {
        SplittableRandom random = new SplittableRandom(3);
        PacketTable.Builder rows = new PacketTable.Builder();
        for (int i = 0; i < 500; i++) {
            int flags = random.nextInt(8);
            boolean hidden = random.nextInt(10) == 0;
            rows.add(
                    hidden ? PacketTable.NO_TIME : random.nextLong(-1L << 40, 1L << 40),
                    random.nextInt(10) == 0 ? PacketTable.NO_TIME : random.nextLong(-1L << 40, 1L << 40),
                    random.nextLong(-1, 1L << 50),
                    random.nextInt(Integer.MAX_VALUE),
                    random.nextInt(Integer.MAX_VALUE),
                    hidden ? flags | PacketTable.HIDDEN : flags);
        }
        ClipIndex plain = TestIndexes.of(rows);
        return new ClipIndex(
                plain.source(),
                plain.format(),
                plain.packets(),
                List.of(new ClipIndex.FormatChange(7, CodecConfig.of(new byte[] {9, 8}))));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (ClipIndex index : List.of(wild(), TestIndexes.openGroups(), TestIndexes.plain(1, 1))) {
            assertThat(ClipIndexFile.decode(ClipIndexFile.encode(index))).isEqualTo(index);
        }
    }

    @Test
    void ordinaryRowsTakeAHandfulOfBytes() {
        assertThat(ClipIndexFile.encode(TestIndexes.plain(10_000, 30)).length).isLessThan(10_000 * 9);
    }

    @Test
    void everyCutAndEveryFlippedByteIsNoticed() {
        byte[] bytes = ClipIndexFile.encode(wild());
        for (int cut = 0; cut < bytes.length; cut += 1 + cut / 40) {
            byte[] shorter = Arrays.copyOf(bytes, cut);
            assertThatThrownBy(() -> ClipIndexFile.decode(shorter))
                    .as("cut at %d", cut)
                    .isInstanceOf(IOException.class);
        }
        for (int at = 0; at < bytes.length; at += 1 + at / 40) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            assertThatThrownBy(() -> ClipIndexFile.decode(flipped))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] bytes = ClipIndexFile.encode(TestIndexes.plain(3, 1));
        bytes[4] = 99;
        assertThatThrownBy(() -> ClipIndexFile.decode(bytes)).hasMessageContaining("version 99");
    }
}
