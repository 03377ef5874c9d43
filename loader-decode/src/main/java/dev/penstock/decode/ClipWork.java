package dev.penstock.decode;

import dev.penstock.spi.Blob;
import dev.penstock.spi.DecodeWork;

/**
 * Windows of one clip that are decoded together: for each, the row and video column it goes to and the sample it
 * belongs to. Small, for there are several in each batch: the decoder works the frame numbers out again, which is
 * cheaper than to keep them. Immutable.
 */
final class ClipWork implements DecodeWork {
    private final CameraClip clip;
    private final String camera;
    /** Ascending by row. */
    private final int[] rows;
    /** Row (upper half) and video column (lower half) of each window. */
    private final long[] places;

    private final long[] samples;
    /** Offset and length of each range. */
    private final long[] ranges;

    private final long neededLength;

    ClipWork(
            CameraClip clip,
            String camera,
            int[] rows,
            long[] places,
            long[] samples,
            long[] ranges,
            long neededLength) {
        this.clip = clip;
        this.camera = camera;
        this.rows = rows;
        this.places = places;
        this.samples = samples;
        this.ranges = ranges;
        this.neededLength = neededLength;
    }

    static long place(int row, int column) {
        return (long) row << 32 | column;
    }

    CameraClip clip() {
        return clip;
    }

    int windows() {
        return places.length;
    }

    int rowOf(int window) {
        return (int) (places[window] >>> 32);
    }

    int columnOf(int window) {
        return (int) places[window];
    }

    long sampleOf(int window) {
        return samples[window];
    }

    @Override
    public int rows() {
        return rows.length;
    }

    @Override
    public int row(int i) {
        return rows[i];
    }

    @Override
    public String camera() {
        return camera;
    }

    @Override
    public String describe() {
        return "camera '" + camera + "', clip " + Addresses.readable(clip.clip().uri());
    }

    @Override
    public int ranges() {
        return ranges.length / 2;
    }

    @Override
    public Blob blob(int i) {
        return clip.file().blob();
    }

    @Override
    public long offset(int i) {
        return ranges[2 * i];
    }

    @Override
    public int length(int i) {
        return (int) ranges[2 * i + 1];
    }

    @Override
    public long neededLength() {
        return neededLength;
    }
}
