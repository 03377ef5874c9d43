package dev.penstock;

import dev.penstock.spi.Blob;
import dev.penstock.spi.ReadRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The truth of a mixed batch: the requests of its runs of rows, one behind the other. */
record MixRequest(List<Run> runs) implements ReadRequest {

    /** What the rows of one run need, or null where their source needs nothing. */
    record Run(@Nullable ReadRequest request) {
        int ranges() {
            return request == null ? 0 : request.ranges();
        }

        int bytes() {
            return request == null ? 0 : Math.toIntExact(request.totalLength());
        }
    }

    private record Range(ReadRequest request, int index) {}

    @Override
    public int ranges() {
        return runs.stream().mapToInt(Run::ranges).sum();
    }

    @Override
    public Blob blob(int i) {
        Range range = range(i);
        return range.request().blob(range.index());
    }

    @Override
    public long offset(int i) {
        Range range = range(i);
        return range.request().offset(range.index());
    }

    @Override
    public int length(int i) {
        Range range = range(i);
        return range.request().length(range.index());
    }

    @Override
    public long neededLength() {
        long needed = 0;
        for (Run run : runs) {
            ReadRequest request = run.request();
            needed += request == null ? 0 : request.neededLength();
        }
        return needed;
    }

    private Range range(int i) {
        int left = i;
        for (Run run : runs) {
            ReadRequest request = run.request();
            if (request != null && left < request.ranges()) {
                return new Range(request, left);
            }
            left -= run.ranges();
        }
        throw new IndexOutOfBoundsException("range " + i + " of " + ranges());
    }
}
