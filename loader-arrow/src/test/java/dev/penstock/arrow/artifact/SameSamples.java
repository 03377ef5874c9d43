package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import dev.penstock.data.TensorSpec;
import dev.penstock.decode.Episodes;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;

/** Loads two datasets with one view and compares them, sample for sample. */
final class SameSamples {
    /** Lowest PSNR of a frame, and their mean. */
    record Fidelity(long samples, double lowest, double mean) {}

    private SameSamples() {}

    /** Everything but pixels must have equal bytes; returns how far pixels are apart. */
    static Fidelity compare(Episodes source, Episodes artifact, View view) throws IOException {
        double lowest = 99.99;
        double sum = 0;
        long frames = 0;
        long samples = 0;
        try (Loader expected = loader(source, view);
                Loader actual = loader(artifact, view)) {
            assertThat(actual.samples()).as("number of samples").isEqualTo(expected.samples());
            Iterator<Batch> made = actual.iterator();
            for (Batch batch : expected) {
                Batch other = made.next();
                assertThat(other.sampleAt(0)).isEqualTo(batch.sampleAt(0));
                for (Tensor tensor : batch.tensors()) {
                    TensorSpec spec = tensor.spec();
                    Optional<VideoColumn> video = view.videos().stream()
                            .filter(column -> column.name().equals(spec.name()))
                            .findFirst();
                    ByteBuffer a = tensor.data();
                    ByteBuffer b = other.tensor(spec.name()).data();
                    if (video.isEmpty()) {
                        assertThat(b)
                                .as("tensor %s of sample %d", spec.name(), batch.sampleAt(0))
                                .isEqualTo(a);
                        continue;
                    }
                    int frameBytes = video.get().frameBytes();
                    for (int at = 0; at + frameBytes <= a.limit(); at += frameBytes) {
                        double psnr = psnr(a, b, at, frameBytes);
                        lowest = Math.min(lowest, psnr);
                        sum += psnr;
                        frames++;
                    }
                }
                samples++;
            }
            assertThat(made.hasNext()).isFalse();
        }
        assertThat(samples).isPositive();
        return new Fidelity(samples, lowest, sum / Math.max(1, frames));
    }

    private static Loader loader(Episodes dataset, View view) throws IOException {
        return Loader.builder(dataset, view).batchSize(1).epochs(1).build();
    }

    private static double psnr(ByteBuffer a, ByteBuffer b, int from, int bytes) {
        long sum = 0;
        for (int i = from; i < from + bytes; i++) {
            int difference = (a.get(i) & 0xFF) - (b.get(i) & 0xFF);
            sum += (long) difference * difference;
        }
        return sum == 0 ? 99.99 : 10 * Math.log10(255.0 * 255.0 * bytes / sum);
    }
}
