package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.view.ColourRule;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Colours against an independent decoder's means, and against the standards' formulas. */
class ScalerColourTest {

    private static final double LEVELS = 2;
    private static final int PICTURES = 40;

    /** Where pictures change size the reference shows them at the first size; the odd cases belong to other tests. */
    private static final Set<String> NOT_HERE = Set.of("odd/audio_only.mp4", "odd/resolution_change.webm");

    @TestFactory
    List<DynamicTest> meansOfWholeAndQuartersAreThoseOfTheReference() {
        List<DynamicTest> tests = new ArrayList<>();
        for (var clip : SharedData.expected().properties()) {
            if (!NOT_HERE.contains(clip.getKey())
                    && !clip.getValue().path("frames").isMissingNode()) {
                tests.add(DynamicTest.dynamicTest(clip.getKey(), () -> compare(clip.getKey(), clip.getValue())));
            }
        }
        assertThat(tests).hasSizeGreaterThan(40);
        return tests;
    }

    private static void compare(String path, JsonNode expected) {
        try (Pictures clip = Pictures.of(SharedData.file(path), PICTURES);
                Scaler scaler = new Scaler()) {
            int compared = 0;
            for (JsonNode frame : expected.get("frames")) {
                int index = frame.get("index").asInt();
                if (index < clip.frames.size()) {
                    compare(scaler, clip.frames.get(index), frame, path + " frame " + index);
                    compared++;
                }
            }
            assertThat(compared).as(path).isPositive();
        }
    }

    private static void compare(Scaler scaler, AVFrame picture, JsonNode expected, String what) {
        for (Layout layout : Layout.values()) {
            double[][] means = means(scaler, picture, layout);
            for (int part = 0; part < 5; part++) {
                JsonNode rgb = part == 0
                        ? expected.get("mean_rgb")
                        : expected.get("quadrant_mean_rgb").get(part - 1);
                for (int channel = 0; channel < 3; channel++) {
                    assertThat(means[part][channel])
                            .as("%s %s part %d channel %d", what, layout, part, channel)
                            .isCloseTo(rgb.get(channel).asDouble(), within(LEVELS));
                }
            }
        }
    }

    /** Means of the whole picture, then of its quarters, at its own size, as coded. */
    private static double[][] means(Scaler scaler, AVFrame picture, Layout layout) {
        int width = picture.width();
        int height = picture.height();
        byte[] pixels = Pictures.scaled(
                scaler, picture, DisplayShape.AS_CODED, PictureTransform.of(Size.of(width, height), layout));
        return Rgb.means(pixels, width, height, layout);
    }

    @ParameterizedTest
    @CsvSource({
        // matrix, full range, Y, U, V
        AVCOL_SPC_BT709 + ",false,81,90,240",
        AVCOL_SPC_BT709 + ",true,81,90,240",
        AVCOL_SPC_SMPTE170M + ",false,145,54,34",
        AVCOL_SPC_SMPTE170M + ",true,145,54,34",
        AVCOL_SPC_BT2020_NCL + ",false,120,100,170",
        AVCOL_SPC_BT2020_NCL + ",true,120,100,170",
        AVCOL_SPC_UNSPECIFIED + ",false,120,100,170"
    })
    void aPlainColourFollowsTheTaggedMatrixAndRange(int matrix, boolean full, int y, int u, int v) {
        try (Scaler scaler = new Scaler()) {
            for (int format : new int[] {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P}) {
                AVFrame picture = plain(format, 64, 48, y, u, v);
                picture.colorspace(matrix);
                picture.color_range(full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG);
                double[] wanted = Rgb.of(matrix, full, y, u, v);
                for (Size size : new Size[] {Size.of(64, 48), Size.of(24, 20)}) {
                    byte[] pixels = Pictures.scaled(
                            scaler, picture, DisplayShape.AS_CODED, PictureTransform.of(size, Layout.THWC));
                    for (int i = 0; i < pixels.length; i++) {
                        assertThat(pixels[i] & 0xff)
                                .as("format %d size %s byte %d", format, size, i)
                                .isCloseTo((int) Math.round(wanted[i % 3]), within(2));
                    }
                }
                av_frame_free(picture);
            }
        }
    }

    @Test
    void untaggedPicturesFrom720LinesAreBt709OnlyWhenTheRuleSaysSo() {
        VideoColumn column =
                VideoColumn.of("front", Window.frames(1), Size.of(16, 16)).fullChroma(true);
        PictureTransform bt601 = PictureTransform.of(column);
        PictureTransform hd = PictureTransform.of(column.colour(ColourRule.BT709_FROM_720));
        try (Scaler scaler = new Scaler()) {
            AVFrame large = plain(AV_PIX_FMT_YUV420P, 1280, 720, 120, 100, 170);
            AVFrame small = plain(AV_PIX_FMT_YUV420P, 640, 480, 120, 100, 170);
            assertPlain(scaler, large, bt601, AVCOL_SPC_SMPTE170M);
            assertPlain(scaler, large, hd, AVCOL_SPC_BT709);
            assertPlain(scaler, small, hd, AVCOL_SPC_SMPTE170M);
            av_frame_free(large);
            av_frame_free(small);
        }
    }

    private static void assertPlain(Scaler scaler, AVFrame picture, PictureTransform transform, int matrix) {
        byte[] pixels = Pictures.scaled(scaler, picture, DisplayShape.AS_CODED, transform);
        double[] wanted = Rgb.of(matrix, false, 120, 100, 170);
        for (int channel = 0; channel < 3; channel++) {
            assertThat(pixels[channel] & 0xff).isCloseTo((int) Math.round(wanted[channel]), within(1));
        }
    }

    @ParameterizedTest
    @CsvSource({"true,16,0", "true,235,255", "true,126,128", "false,16,16", "false,255,255"})
    void greyFollowsItsTaggedRangeAndIsFullWhereUntagged(boolean limited, int y, int wanted) {
        try (Scaler scaler = new Scaler()) {
            AVFrame picture = Pictures.blank(AV_PIX_FMT_GRAY8, 70, 34);
            for (int row = 0; row < 34; row++) {
                for (int x = 0; x < 70; x++) {
                    picture.data(0).put((long) row * picture.linesize(0) + x, (byte) y);
                }
            }
            picture.color_range(limited ? AVCOL_RANGE_MPEG : AVCOL_RANGE_UNSPECIFIED);
            for (Size size : new Size[] {Size.of(70, 34), Size.of(33, 17)}) {
                byte[] pixels =
                        Pictures.scaled(scaler, picture, DisplayShape.AS_CODED, PictureTransform.of(size, Layout.TCHW));
                for (byte pixel : pixels) {
                    assertThat(pixel & 0xff).isCloseTo(wanted, within(1));
                }
            }
            av_frame_free(picture);
        }
    }

    @Test
    void rgbAndPaletteSourcesKeepTheirValuesAndAlphaIsIgnored() {
        int[] wanted = {200, 100, 50};
        try (Scaler scaler = new Scaler()) {
            AVFrame rgb = Pictures.blank(AV_PIX_FMT_RGB24, 40, 30);
            AVFrame rgba = Pictures.blank(AV_PIX_FMT_RGBA, 40, 30);
            AVFrame palette = Pictures.blank(AV_PIX_FMT_PAL8, 40, 30);
            for (int row = 0; row < 30; row++) {
                for (int x = 0; x < 40; x++) {
                    for (int c = 0; c < 3; c++) {
                        rgb.data(0).put((long) row * rgb.linesize(0) + 3L * x + c, (byte) wanted[c]);
                        rgba.data(0).put((long) row * rgba.linesize(0) + 4L * x + c, (byte) wanted[c]);
                    }
                    rgba.data(0).put((long) row * rgba.linesize(0) + 4L * x + 3, (byte) x);
                    palette.data(0).put((long) row * palette.linesize(0) + x, (byte) 7);
                }
            }
            palette.data(1).put(4 * 7, (byte) 50).put(4 * 7 + 1, (byte) 100).put(4 * 7 + 2, (byte) 200);
            palette.data(1).put(4 * 7 + 3, (byte) 0xff);
            for (AVFrame picture : List.of(rgb, rgba, palette)) {
                for (Size size : new Size[] {Size.of(40, 30), Size.of(17, 13), Size.of(32, 32)}) {
                    byte[] pixels = Pictures.scaled(
                            scaler, picture, DisplayShape.AS_CODED, PictureTransform.of(size, Layout.THWC));
                    for (int i = 0; i < pixels.length; i++) {
                        assertThat(pixels[i] & 0xff)
                                .as("format %d size %s", picture.format(), size)
                                .isCloseTo(wanted[i % 3], within(size.width() == 40 ? 0 : 1));
                    }
                }
                av_frame_free(picture);
            }
        }
    }

    @Test
    void aColourSpaceWithoutAMatrixIsRefusedByName() {
        try (Scaler scaler = new Scaler()) {
            AVFrame picture = plain(AV_PIX_FMT_YUV420P, 32, 32, 100, 100, 100);
            picture.colorspace(AVCOL_SPC_YCGCO);
            assertThatThrownBy(() -> Pictures.scaled(
                            scaler, picture, DisplayShape.AS_CODED, PictureTransform.of(Size.of(16, 16), Layout.TCHW)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("colour space 8")
                    .hasMessageContaining("re-encode");
            av_frame_free(picture);
        }
    }

    private static AVFrame plain(int format, int width, int height, int y, int u, int v) {
        AVFrame picture = Pictures.blank(format, width, height);
        int[] values = {y, u, v};
        for (int plane = 0; plane < 3; plane++) {
            int rows = plane > 0 && format == AV_PIX_FMT_YUV420P ? (height + 1) / 2 : height;
            for (long i = 0; i < (long) rows * picture.linesize(plane); i++) {
                picture.data(plane).put(i, (byte) values[plane]);
            }
        }
        return picture;
    }
}
