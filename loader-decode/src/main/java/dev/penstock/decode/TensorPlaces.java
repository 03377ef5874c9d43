package dev.penstock.decode;

import dev.penstock.data.BatchSpec;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.util.List;

/** Where each video column's pixels, mask and skews stand among a batch's tensors. Immutable. */
final class TensorPlaces {
    private final int[] pixels;
    private final int[] masks;
    private final int[] skews;
    private final int[] frameBytes;
    private final int[] lengths;

    TensorPlaces(View view) {
        BatchSpec spec = view.spec();
        List<VideoColumn> videos = view.videos();
        pixels = new int[videos.size()];
        masks = new int[videos.size()];
        skews = new int[videos.size()];
        frameBytes = new int[videos.size()];
        lengths = new int[videos.size()];
        for (int c = 0; c < pixels.length; c++) {
            VideoColumn video = videos.get(c);
            pixels[c] = spec.indexOf(video.name());
            boolean reference = video.camera().equals(view.referenceCamera());
            masks[c] = view.edges() == EdgeRule.CLAMP ? spec.indexOf(video.name() + ".mask") : -1;
            skews[c] = reference ? -1 : spec.indexOf(video.name() + ".skew");
            frameBytes[c] = video.frameBytes();
            lengths[c] = video.window().length();
        }
    }

    int columns() {
        return pixels.length;
    }

    /** The pixels' tensor. */
    int pixels(int column) {
        return pixels[column];
    }

    /** The mask's tensor, or -1. */
    int mask(int column) {
        return masks[column];
    }

    /** The skews' tensor, or -1. */
    int skew(int column) {
        return skews[column];
    }

    boolean hasMaskOrSkew() {
        for (int c = 0; c < pixels.length; c++) {
            if (masks[c] >= 0 || skews[c] >= 0) {
                return true;
            }
        }
        return false;
    }

    /** T. */
    int length(int column) {
        return lengths[column];
    }

    int frameBytes(int column) {
        return frameBytes[column];
    }

    int longestWindow() {
        int longest = 1;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /**
     * Where frame {@code i} of a row's window starts in its tensor.
     *
     * @throws ArithmeticException when that passes 2 GiB, which a batch's memory can't
     */
    int offset(int column, int row, int i) {
        return Math.toIntExact(((long) row * lengths[column] + i) * frameBytes[column]);
    }
}
