package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.data.ElementType;
import dev.penstock.view.ColourRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filters against plain references written here: the antialiased kernels of PIL and torchvision, OpenCV's 2x2 bilinear,
 * area mean, nearest. The measured means are in docs/scaling.md.
 */
class ScalerFilterTest {

    private static final Logger LOG = LoggerFactory.getLogger(ScalerFilterTest.class);
    private static final int SIDE = 224;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachFilterIsNearestToTheReferenceOfItsOwnKind(boolean fullChroma) {
        try (Pictures clip = Pictures.of(SharedData.file("video/road_1280x720.mp4"), 11);
                Scaler scaler = new Scaler()) {
            AVFrame picture = clip.frames.get(10);
            byte[] whole = scaled(scaler, picture, Size.of(picture.width(), picture.height()), Filter.BILINEAR, true);
            Map<Filter, byte[]> ours = new EnumMap<>(Filter.class);
            for (Filter filter : Filter.values()) {
                ours.put(filter, scaled(scaler, picture, Size.of(SIDE, SIDE), filter, fullChroma));
            }
            int width = picture.width();
            int height = picture.height();
            double triangle = difference(ours, Filter.BILINEAR, References.kernel(whole, width, height, SIDE, true));
            double twoByTwo = difference(ours, Filter.BILINEAR, References.twoByTwo(whole, width, height, SIDE));
            double cubic = difference(ours, Filter.BICUBIC, References.kernel(whole, width, height, SIDE, false));
            double area = difference(ours, Filter.AREA, References.area(whole, width, height, SIDE));
            double centre = difference(ours, Filter.NEAREST, References.nearest(whole, width, height, SIDE, true));
            double corner = difference(ours, Filter.NEAREST, References.nearest(whole, width, height, SIDE, false));
            LOG.info(
                    "full chroma {}, mean levels: bilinear to triangle {}, to 2x2 {}; bicubic {}; area {}; nearest to centre {}, corner {}",
                    fullChroma,
                    triangle,
                    twoByTwo,
                    cubic,
                    area,
                    centre,
                    corner);
            double halfChroma = fullChroma ? 0 : 0.8; // what halving the colour's resolution costs here
            assertThat(triangle).isLessThan(0.7 + halfChroma).isLessThan(twoByTwo / 2);
            assertThat(cubic).isLessThan(0.7 + halfChroma);
            assertThat(area).isLessThan(0.7 + halfChroma);
            assertThat(centre).isLessThan(4).isLessThan(corner);
        }
    }

    @Test
    void sameSizePicturesAreWithinRoundingOfTheAccurateConversionButForTheChromasPlace() {
        try (Pictures clip = Pictures.of(SharedData.file("video/road_1280x720.mp4"), 11);
                Scaler scaler = new Scaler()) {
            AVFrame picture = clip.frames.get(10);
            Size size = Size.of(picture.width(), picture.height());
            byte[] fast = scaled(scaler, picture, size, Filter.BILINEAR, false);
            byte[] accurate = scaled(scaler, picture, size, Filter.BILINEAR, true);
            assertThat(Rgb.difference(fast, accurate)).isLessThan(1.5);
            double[][] fastMeans = Rgb.means(fast, size.width(), size.height(), Layout.TCHW);
            double[][] accurateMeans = Rgb.means(accurate, size.width(), size.height(), Layout.TCHW);
            for (int channel = 0; channel < 3; channel++) {
                assertThat(Math.abs(fastMeans[0][channel] - accurateMeans[0][channel]))
                        .isLessThan(1);
            }
        }
    }

    @Test
    void theBytesAreTheSameWithFewerOfTheProcessorsInstructions() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 320, 180, 21);
        AVFrame same = Pictures.noisy(AV_PIX_FMT_YUV420P, SIDE, SIDE, 22);
        int all = av_get_cpu_flags();
        int upToSsse3 = all
                & (AV_CPU_FLAG_MMX
                        | AV_CPU_FLAG_MMXEXT
                        | AV_CPU_FLAG_SSE
                        | AV_CPU_FLAG_SSE2
                        | AV_CPU_FLAG_SSE3
                        | AV_CPU_FLAG_SSSE3
                        | AV_CPU_FLAG_CMOV);
        try (Scaler full = new Scaler();
                Scaler old = new Scaler();
                Scaler none = new Scaler()) {
            for (Filter filter : Filter.values()) {
                for (Size size : new Size[] {Size.of(SIDE, SIDE), Size.of(100, 70)}) {
                    byte[] wanted = scaled(full, picture, size, filter, false);
                    av_force_cpu_flags(upToSsse3);
                    assertThat(scaled(old, picture, size, filter, false)).isEqualTo(wanted);
                    av_force_cpu_flags(all);
                    byte[] everywhere = scaled(full, picture, size, filter, true);
                    av_force_cpu_flags(0);
                    assertThat(scaled(none, picture, size, filter, true)).isEqualTo(everywhere);
                    av_force_cpu_flags(all);
                }
            }
            byte[] wanted = scaled(full, same, Size.of(SIDE, SIDE), Filter.BILINEAR, false);
            av_force_cpu_flags(upToSsse3);
            assertThat(scaled(old, same, Size.of(SIDE, SIDE), Filter.BILINEAR, false))
                    .isEqualTo(wanted);
        } finally {
            av_force_cpu_flags(all);
            av_frame_free(picture);
            av_frame_free(same);
        }
    }

    private static double difference(Map<Filter, byte[]> ours, Filter filter, byte[] reference) {
        return Rgb.difference(Objects.requireNonNull(ours.get(filter)), reference);
    }

    private static byte[] scaled(Scaler scaler, AVFrame picture, Size size, Filter filter, boolean fullChroma) {
        PictureTransform transform = new PictureTransform(
                size,
                Resize.STRETCH,
                List.of(0, 0, 0),
                filter,
                Layout.TCHW,
                ElementType.UINT8,
                List.of(0f, 0f, 0f),
                List.of(1f, 1f, 1f),
                true,
                false,
                ColourRule.BT601,
                fullChroma);
        return Pictures.scaled(scaler, picture, DisplayShape.AS_CODED, transform);
    }
}
