package dev.penstock.decode;

import dev.penstock.decode.truth.TruthCollation;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Fills masks, skews and truth. One thread; allocates nothing after the first batches. */
final class TruthAndMaskCollator implements SampleCollator {
    private final SampleLocator locator;
    private final TensorPlaces places;
    private final @Nullable TruthCollation truth;

    /** @param truth null in a view without truth columns; closed with this */
    TruthAndMaskCollator(SampleLocator locator, TensorPlaces places, @Nullable TruthCollation truth) {
        this.locator = locator;
        this.places = places;
        this.truth = truth;
    }

    @Override
    public void collate(
            long[] samples, int rows, @Nullable ReadRequest request, @Nullable ByteBuffer bytes, BatchTarget target) {
        if (places.hasMaskOrSkew()) {
            for (int row = 0; row < rows; row++) {
                locator.seek(samples[row]);
                for (int column = 0; column < places.columns(); column++) {
                    writeMaskAndSkew(column, row, target);
                }
            }
        }
        if (truth != null) {
            truth.collate(samples, rows, request, bytes, target);
        }
    }

    private void writeMaskAndSkew(int column, int row, BatchTarget target) {
        int mask = places.mask(column);
        int skew = places.skew(column);
        int length = mask < 0 && skew < 0 ? 0 : places.length(column);
        for (int i = 0; i < length; i++) {
            WindowRule.Found found = locator.find(column, i);
            int at = row * length + i;
            if (mask >= 0) {
                target.dense(mask).put(at, (byte) (found.state() == WindowRule.WHOLE ? 1 : 0));
            }
            if (skew >= 0) {
                target.dense(skew).putFloat(at * Float.BYTES, (float) found.skew());
            }
        }
    }

    @Override
    public void close() {
        if (truth != null) {
            truth.close();
        }
    }
}
