package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.data.ElementType;
import dev.penstock.view.ColourRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import java.nio.ByteBuffer;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One picture, many layouts, turns and places: the same values everywhere. */
class ScalerLayoutTest {

    private static final List<Float> MEAN = List.of(0.485f, 0.456f, 0.406f);
    private static final List<Float> STD = List.of(0.229f, 0.224f, 0.225f);

    private final Scaler scaler = new Scaler();

    @AfterEach
    void close() {
        scaler.close();
    }

    @ParameterizedTest
    @CsvSource({"224,224", "64,48", "50,37", "333,187", "7,5"})
    void interleavedPlanarAndFloatHoldTheSameValues(int width, int height) {
        for (int[] from : new int[][] {{320, 180}, {width, height}}) {
            AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, from[0], from[1], 3);
            byte[] planar = scaled(picture, transform(width, height, Layout.TCHW, ElementType.UINT8));
            byte[] interleaved = scaled(picture, transform(width, height, Layout.THWC, ElementType.UINT8));
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < 3; c++) {
                        assertThat(Rgb.at(interleaved, width, height, Layout.THWC, x, y, c))
                                .isEqualTo(Rgb.at(planar, width, height, Layout.TCHW, x, y, c));
                    }
                }
            }
            assertNormalized(
                    planar,
                    scaled(picture, transform(width, height, Layout.TCHW, ElementType.FLOAT32)),
                    c -> c / (width * height));
            assertNormalized(
                    interleaved,
                    scaled(picture, transform(width, height, Layout.THWC, ElementType.FLOAT32)),
                    c -> c % 3);
            av_frame_free(picture);
        }
    }

    private static void assertNormalized(byte[] levels, byte[] floats, java.util.function.IntUnaryOperator channel) {
        ByteBuffer values = ByteBuffer.wrap(floats).order(java.nio.ByteOrder.nativeOrder());
        for (int i = 0; i < levels.length; i++) {
            int c = channel.applyAsInt(i);
            double wanted = ((levels[i] & 0xff) / 255.0 - MEAN.get(c)) / STD.get(c);
            assertThat(values.getFloat(4 * i)).isEqualTo((float) wanted);
        }
    }

    @Test
    void everyTurnAndMirrorMovesPixelsAndChangesNone() {
        int width = 46;
        int height = 28;
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, width, height, 5);
        byte[] upright = scaled(picture, transform(width, height, Layout.THWC, ElementType.UINT8));
        for (Layout layout : Layout.values()) {
            for (boolean transpose : new boolean[] {false, true}) {
                for (boolean mirrorX : new boolean[] {false, true}) {
                    for (boolean mirrorY : new boolean[] {false, true}) {
                        Turn turn = new Turn(transpose, mirrorX, mirrorY);
                        int shownWidth = transpose ? height : width;
                        int shownHeight = transpose ? width : height;
                        byte[] turned = Pictures.scaled(
                                scaler,
                                picture,
                                new DisplayShape(turn, 1, 1),
                                transform(shownWidth, shownHeight, layout, ElementType.UINT8));
                        for (int y = 0; y < shownHeight; y++) {
                            for (int x = 0; x < shownWidth; x++) {
                                int u = mirrorX ? shownWidth - 1 - x : x;
                                int v = mirrorY ? shownHeight - 1 - y : y;
                                for (int c = 0; c < 3; c++) {
                                    assertThat(Rgb.at(turned, shownWidth, shownHeight, layout, x, y, c))
                                            .as("%s (%d,%d)", turn, x, y)
                                            .isEqualTo(Rgb.at(
                                                    upright,
                                                    width,
                                                    height,
                                                    Layout.THWC,
                                                    transpose ? v : u,
                                                    transpose ? u : v,
                                                    c));
                                }
                            }
                        }
                    }
                }
            }
        }
        av_frame_free(picture);
    }

    @ParameterizedTest
    @CsvSource({"odd/rotate90.mov", "odd/rotate270.mov"})
    void phoneClipsAreShownUprightAsTheReferenceShowsThem(String path) {
        var expected = SharedData.expected().get(path).get("display_frame0");
        int width = expected.get("size").get(0).asInt();
        int height = expected.get("size").get(1).asInt();
        try (Pictures clip = Pictures.of(SharedData.file(path), 1)) {
            byte[] pixels = Pictures.scaled(
                    scaler, clip.frames.get(0), clip.shape, PictureTransform.of(Size.of(width, height), Layout.TCHW));
            double[][] means = Rgb.means(pixels, width, height, Layout.TCHW);
            for (int part = 0; part < 4; part++) {
                for (int c = 0; c < 3; c++) {
                    assertThat(means[part + 1][c])
                            .as("%s quarter %d", path, part)
                            .isCloseTo(
                                    expected.get("quadrant_mean_rgb")
                                            .get(part)
                                            .get(c)
                                            .asDouble(),
                                    within(2.0));
                }
            }
        }
    }

    @Test
    void aLetterboxHoldsTheStretchedPictureCentredInTheFill() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 320, 180, 9);
        for (Layout layout : Layout.values()) {
            byte[] boxed = scaled(picture, resized(96, 96, layout, Resize.LETTERBOX, false));
            byte[] inner = scaled(picture, resized(96, 54, layout, Resize.STRETCH, false));
            for (int y = 0; y < 96; y++) {
                for (int x = 0; x < 96; x++) {
                    for (int c = 0; c < 3; c++) {
                        boolean inside = y >= 21 && y < 75;
                        int wanted = inside ? Rgb.at(inner, 96, 54, layout, x, y - 21, c) : 10 * (c + 1);
                        assertThat(Rgb.at(boxed, 96, 96, layout, x, y, c)).isEqualTo(wanted);
                    }
                }
            }
        }
        av_frame_free(picture);
    }

    @Test
    void aCentreCropIsTheStretchOfThatPartOfThePicture() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 320, 180, 11);
        byte[] cropped = scaled(picture, resized(90, 90, Layout.TCHW, Resize.CENTER_CROP, false));
        AVFrame part = av_frame_alloc();
        part.format(AV_PIX_FMT_YUV420P).width(180).height(180);
        for (int plane = 0; plane < 3; plane++) {
            part.data(plane, picture.data(plane).position(plane == 0 ? 70 : 35));
            part.linesize(plane, picture.linesize(plane));
        }
        byte[] wanted = scaled(part, resized(90, 90, Layout.TCHW, Resize.STRETCH, false));
        assertThat(cropped).isEqualTo(wanted);
        av_frame_free(part);
        av_frame_free(picture);
    }

    @Test
    void aCropThatNeedsNoScalingTakesThePixelsAsTheyAre() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 300, 180, 12);
        byte[] whole = scaled(picture, transform(300, 180, Layout.TCHW, ElementType.UINT8));
        byte[] cropped = scaled(picture, resized(180, 180, Layout.TCHW, Resize.CENTER_CROP, false));
        for (int y = 0; y < 180; y++) {
            for (int x = 0; x < 180; x++) {
                for (int c = 0; c < 3; c++) {
                    assertThat(Rgb.at(cropped, 180, 180, Layout.TCHW, x, y, c))
                            .isEqualTo(Rgb.at(whole, 300, 180, Layout.TCHW, x + 60, y, c));
                }
            }
        }
        av_frame_free(picture);
    }

    @Test
    void wideCodedPixelsWidenTheLetterboxOnlyWhenAsked() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 160, 160, 13);
        DisplayShape wide = new DisplayShape(Turn.UPRIGHT, 2, 1);
        byte[] square = Pictures.scaled(scaler, picture, wide, resized(80, 80, Layout.TCHW, Resize.LETTERBOX, true));
        byte[] coded = Pictures.scaled(scaler, picture, wide, resized(80, 80, Layout.TCHW, Resize.LETTERBOX, false));
        byte[] half = scaled(picture, resized(80, 40, Layout.TCHW, Resize.STRETCH, false));
        for (int x = 0; x < 80; x++) {
            assertThat(Rgb.at(square, 80, 80, Layout.TCHW, x, 19, 0)).isEqualTo(10);
            assertThat(Rgb.at(square, 80, 80, Layout.TCHW, x, 20, 0))
                    .isEqualTo(Rgb.at(half, 80, 40, Layout.TCHW, x, 0, 0));
        }
        assertThat(coded).isEqualTo(scaled(picture, resized(80, 80, Layout.TCHW, Resize.STRETCH, false)));
        av_frame_free(picture);
    }

    @Test
    void interlacedPicturesAreScaledLikeOthers() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 128, 64, 14);
        PictureTransform transform = transform(48, 48, Layout.TCHW, ElementType.UINT8);
        byte[] progressive = scaled(picture, transform);
        picture.flags(picture.flags() | AVFrame.AV_FRAME_FLAG_INTERLACED | AVFrame.AV_FRAME_FLAG_TOP_FIELD_FIRST);
        assertThat(scaled(picture, transform)).isEqualTo(progressive);
        av_frame_free(picture);
    }

    @Test
    void noMorePlansAreKeptThanTheLimit() {
        try (Scaler small = new Scaler(3)) {
            AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 64, 64, 15);
            byte[] first = Pictures.scaled(
                    small, picture, DisplayShape.AS_CODED, transform(20, 20, Layout.TCHW, ElementType.UINT8));
            for (int width = 21; width < 31; width++) {
                Pictures.scaled(
                        small, picture, DisplayShape.AS_CODED, transform(width, 20, Layout.TCHW, ElementType.UINT8));
            }
            assertThat(small.plans()).isEqualTo(3);
            assertThat(Pictures.scaled(
                            small, picture, DisplayShape.AS_CODED, transform(20, 20, Layout.TCHW, ElementType.UINT8)))
                    .isEqualTo(first);
            av_frame_free(picture);
        }
    }

    private byte[] scaled(AVFrame picture, PictureTransform transform) {
        return Pictures.scaled(scaler, picture, DisplayShape.AS_CODED, transform);
    }

    private static PictureTransform transform(int width, int height, Layout layout, ElementType type) {
        return new PictureTransform(
                Size.of(width, height),
                Resize.STRETCH,
                List.of(0, 0, 0),
                Filter.BILINEAR,
                layout,
                type,
                MEAN,
                STD,
                true,
                false,
                ColourRule.BT601,
                false);
    }

    private static PictureTransform resized(int width, int height, Layout layout, Resize resize, boolean squarePixels) {
        return new PictureTransform(
                Size.of(width, height),
                resize,
                List.of(10, 20, 30),
                Filter.BILINEAR,
                layout,
                ElementType.UINT8,
                MEAN,
                STD,
                true,
                squarePixels,
                ColourRule.BT601,
                false);
    }
}
