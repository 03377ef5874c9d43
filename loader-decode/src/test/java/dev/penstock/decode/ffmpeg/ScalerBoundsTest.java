package dev.penstock.decode.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.data.ElementType;
import dev.penstock.view.ColourRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Layout;
import dev.penstock.view.Resize;
import dev.penstock.view.Size;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every byte of the slot is written and none beside it. swscale itself leaves right columns out at some widths and
 * writes past the end at others.
 */
class ScalerBoundsTest {

    private static final int GUARD = 256;
    private static final byte CANARY = 0x5A;
    private static final byte OTHER_CANARY = 0x11;

    /** A source of the same width takes the special converters, another one the generic scaler. */
    private enum Source {
        SAME_SIZE,
        LARGER
    }

    @ParameterizedTest
    @EnumSource(Source.class)
    void everyByteOfTheSlotIsWrittenAndNoneBesideItAtWidths1To70(Source source) {
        for (int width = 1; width <= 70; width++) {
            for (int height : new int[] {1, 2, 7, 16}) {
                AVFrame picture = source == Source.SAME_SIZE
                        ? Pictures.noisy(AV_PIX_FMT_YUV420P, width, height, width)
                        : Pictures.noisy(AV_PIX_FMT_YUV420P, 96, 64, width);
                for (PictureTransform transform : transforms(Size.of(width, height))) {
                    assertExact(picture, transform, width % 3 * 4);
                }
                av_frame_free(picture);
            }
        }
    }

    @Test
    void theWidthsWhoseRightColumnsSwscaleLeavesOutAreWhole() {
        for (int width : new int[] {850, 852, 854, 1282, 1284, 1286}) {
            AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, width, 32, width);
            for (PictureTransform transform : transforms(Size.of(width, 32))) {
                assertExact(picture, transform, 0);
            }
            av_frame_free(picture);
        }
    }

    @Test
    void lettersBoxesAndTurnedPicturesStayInsideToo() {
        for (int width = 5; width <= 40; width += 7) {
            AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 61, 33, width);
            for (PictureTransform transform : transforms(Size.of(width, 23))) {
                for (int turn = 0; turn < 360; turn += 90) {
                    DisplayShape shape = new DisplayShape(Turn.clockwise(turn), 4, 3);
                    for (Resize resize : Resize.values()) {
                        assertExact(picture, shape, with(transform, resize), 4);
                    }
                }
            }
            av_frame_free(picture);
        }
    }

    @Test
    void aTargetThatIsTooSmallIsRefusedBeforeAnythingIsWritten() {
        AVFrame picture = Pictures.noisy(AV_PIX_FMT_YUV420P, 32, 32, 1);
        PictureTransform transform = PictureTransform.of(Size.of(32, 32), Layout.TCHW);
        try (Scaler scaler = new Scaler()) {
            ByteBuffer target = Pictures.target(transform.bytes());
            assertThatThrownBy(() -> scaler.scale(picture, DisplayShape.AS_CODED, transform, target, 80))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("at byte 80");
            target.limit(100);
            assertThatThrownBy(() -> scaler.scale(picture, DisplayShape.AS_CODED, transform, target, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> scaler.scale(
                            picture, DisplayShape.AS_CODED, transform, ByteBuffer.allocate(transform.bytes()), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("direct");
        } finally {
            av_frame_free(picture);
        }
    }

    private static List<PictureTransform> transforms(Size size) {
        List<PictureTransform> transforms = new ArrayList<>();
        for (Layout layout : Layout.values()) {
            for (ElementType type : new ElementType[] {ElementType.UINT8, ElementType.FLOAT32}) {
                transforms.add(new PictureTransform(
                        size,
                        Resize.STRETCH,
                        List.of(1, 2, 3),
                        Filter.BILINEAR,
                        layout,
                        type,
                        List.of(0.4f, 0.5f, 0.6f),
                        List.of(0.2f, 0.3f, 0.25f),
                        true,
                        true,
                        ColourRule.BT601,
                        false));
            }
        }
        return transforms;
    }

    private static PictureTransform with(PictureTransform t, Resize resize) {
        return new PictureTransform(
                t.size(),
                resize,
                t.fill(),
                t.filter(),
                t.layout(),
                t.type(),
                t.mean(),
                t.std(),
                true,
                true,
                t.colour(),
                false);
    }

    private static void assertExact(AVFrame picture, PictureTransform transform, int shift) {
        assertExact(picture, DisplayShape.AS_CODED, transform, shift);
    }

    private static void assertExact(AVFrame picture, DisplayShape shape, PictureTransform transform, int shift) {
        byte[] first = run(picture, shape, transform, shift, CANARY);
        byte[] second = run(picture, shape, transform, shift, OTHER_CANARY);
        int start = GUARD + shift;
        int end = start + transform.bytes();
        for (int i = 0; i < first.length; i++) {
            boolean inside = i >= start && i < end;
            boolean right = inside ? first[i] == second[i] : first[i] == CANARY && second[i] == OTHER_CANARY;
            if (!right) {
                assertThat(i - start)
                        .as("%s: %s byte", transform, inside ? "left out" : "overwritten")
                        .isNull();
            }
        }
    }

    private static byte[] run(AVFrame picture, DisplayShape shape, PictureTransform transform, int shift, byte canary) {
        ByteBuffer target = Pictures.target(GUARD + shift + transform.bytes() + GUARD);
        byte[] bytes = new byte[GUARD + shift + transform.bytes() + GUARD];
        for (int i = 0; i < bytes.length; i++) {
            target.put(i, canary);
        }
        try (Scaler scaler = new Scaler()) {
            scaler.scale(picture, shape, transform, target, GUARD + shift);
        }
        target.get(0, bytes);
        return bytes;
    }
}
