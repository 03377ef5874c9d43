package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;

class OrientationTest {

    @Test
    void ffmpegsMatrixOfAClockwiseTurnIsReadAsThatTurn() {
        FfmpegLibrary.load();
        for (int degrees : new int[] {0, 90, 180, 270, -90}) {
            int[] matrix = new int[9];
            avutil.av_display_rotation_set(matrix, degrees);
            assertThat(Orientation.of(matrix)).as("%d degrees", degrees).isEqualTo(Orientation.clockwise(degrees));
        }
    }

    @Test
    void ffmpegsFlipsOfAMatrixAreReadAsMirrors() {
        FfmpegLibrary.load();
        int[] matrix = new int[9];
        avutil.av_display_rotation_set(matrix, 0);
        avutil.av_display_matrix_flip(matrix, 1, 0);
        assertThat(Orientation.of(matrix)).isEqualTo(new Orientation(false, true, false));
        avutil.av_display_rotation_set(matrix, 0);
        avutil.av_display_matrix_flip(matrix, 0, 1);
        assertThat(Orientation.of(matrix)).isEqualTo(new Orientation(false, false, true));
    }

    @Test
    void otherAnglesAreRefused() {
        FfmpegLibrary.load();
        int[] matrix = new int[9];
        avutil.av_display_rotation_set(matrix, 30);
        assertThatThrownBy(() -> Orientation.of(matrix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no multiple of 90");
        assertThatThrownBy(() -> Orientation.clockwise(45)).hasMessageContaining("45");
        assertThatThrownBy(() -> Orientation.of(new int[4])).hasMessageContaining("4 elements");
    }
}
