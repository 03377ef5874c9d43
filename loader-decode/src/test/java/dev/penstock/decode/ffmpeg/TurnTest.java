package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.decode.clip.Orientation;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;

class TurnTest {

    @Test
    void ffmpegsMatrixOfAClockwiseTurnIsReadAsThatTurn() {
        FfmpegLibrary.load();
        for (int degrees : new int[] {0, 90, 180, 270, -90}) {
            int[] matrix = new int[9];
            avutil.av_display_rotation_set(matrix, degrees);
            assertThat(Turn.of(matrix)).as("%d degrees", degrees).isEqualTo(Turn.clockwise(degrees));
        }
    }

    @Test
    void ffmpegsFlipsOfAMatrixAreReadAsMirrors() {
        FfmpegLibrary.load();
        int[] matrix = new int[9];
        avutil.av_display_rotation_set(matrix, 0);
        avutil.av_display_matrix_flip(matrix, 1, 0);
        assertThat(Turn.of(matrix)).isEqualTo(new Turn(false, true, false));
        avutil.av_display_rotation_set(matrix, 0);
        avutil.av_display_matrix_flip(matrix, 0, 1);
        assertThat(Turn.of(matrix)).isEqualTo(new Turn(false, false, true));
    }

    @Test
    void theIndexsOrientationMeansTheSameTurnForAllEightMatrices() {
        for (int sign = 0; sign < 4; sign++) {
            int one = (sign & 1) == 0 ? 1 << 16 : -(1 << 16);
            int other = (sign & 2) == 0 ? 1 << 16 : -(1 << 16);
            for (int[] matrix :
                    new int[][] {{one, 0, 0, 0, other, 0, 0, 0, 1 << 30}, {0, one, 0, other, 0, 0, 0, 0, 1 << 30}}) {
                assertThat(Turn.of(Orientation.ofMatrix(matrix))).isEqualTo(Turn.of(matrix));
            }
        }
        assertThatThrownBy(() -> Turn.of(new Orientation(-1, false))).hasMessageContaining("re-encode");
    }

    @Test
    void otherAnglesAreRefused() {
        FfmpegLibrary.load();
        int[] matrix = new int[9];
        avutil.av_display_rotation_set(matrix, 30);
        assertThatThrownBy(() -> Turn.of(matrix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no multiple of 90");
        assertThatThrownBy(() -> Turn.clockwise(45)).hasMessageContaining("45");
        assertThatThrownBy(() -> Turn.of(new int[4])).hasMessageContaining("4 elements");
    }
}
