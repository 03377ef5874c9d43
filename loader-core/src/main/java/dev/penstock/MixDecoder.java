package dev.penstock;

import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleSource;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One thread's decoders of the sources of a mix, made when first needed. Used by that thread alone. */
final class MixDecoder implements SampleDecoder {
    private final List<SampleSource> sources;
    private final Map<Integer, SampleDecoder> decoders = new HashMap<>();

    MixDecoder(List<SampleSource> sources) {
        this.sources = sources;
    }

    @Override
    public void decode(DecodeWork work, ByteBuffer bytes, BatchTarget target) throws SampleException {
        MixWork own = (MixWork) work;
        decoders.computeIfAbsent(own.source(), source -> sources.get(source).newDecoder())
                .decode(own.work(), bytes, target);
    }

    @Override
    public void close() {
        decoders.values().forEach(SampleDecoder::close);
        decoders.clear();
    }
}
