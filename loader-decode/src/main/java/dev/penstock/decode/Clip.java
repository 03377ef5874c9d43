package dev.penstock.decode;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where one camera's video of one episode is: a file, a time range of a file that several episodes share, or one of a
 * file's video streams. A reference: nothing is opened. Immutable.
 *
 * <p>A clip may bring its index with it, as a {@code .pidx} file. That index then says what frames there are and when, the
 * container is not asked, and all of its frames are the episode's.
 *
 * <p>The episode's clock starts at {@code from} in the file: a frame at file time t is at t − {@code from} of the
 * episode. Without {@code from} the file's own clock is the episode's, also where its first frame is not at 0.
 *
 * @param uri the file
 * @param from start of the range in seconds of the file, or null: from its first frame, with the file's own clock
 * @param to end of the range in seconds of the file (frames at or after it are not the episode's), or null: to the end
 * @param stream number of the stream in the container, or null: the one that FFmpeg finds best
 * @param index the clip's index, or null: it is made when the clip is needed. With an index there is no {@code to}, and
 *     {@code from} only says where the episode's clock is 0
 */
public record Clip(
        URI uri,
        @Nullable Double from,
        @Nullable Double to,
        @Nullable Integer stream,
        @Nullable URI index) {

    public Clip {
        if (from != null && !Double.isFinite(from)) {
            throw new IllegalArgumentException("from was " + from + ", must be a finite number of seconds");
        }
        if (to != null && !(to > (from == null ? Double.NEGATIVE_INFINITY : from) && Double.isFinite(to))) {
            throw new IllegalArgumentException("to was " + to + ", must be a finite number of seconds"
                    + (from == null ? "" : " greater than from, which is " + from));
        }
        if (stream != null && stream < 0) {
            throw new IllegalArgumentException("stream was " + stream + ", must be at least 0");
        }
        if (index != null && to != null) {
            throw new IllegalArgumentException("to was " + to + ", must be left out for a clip with an index");
        }
    }

    /** A clip whose index is made when it is needed. */
    public Clip(URI uri, @Nullable Double from, @Nullable Double to, @Nullable Integer stream) {
        this(uri, from, to, stream, null);
    }

    /** A whole file. */
    public static Clip of(URI uri) {
        return new Clip(uri, null, null, null);
    }

    /** Seconds of the file at which the episode's clock is 0. */
    public double origin() {
        return from == null ? 0 : from;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(uri.toString());
        if (stream != null) {
            text.append(" stream ").append(stream);
        }
        if (from != null || to != null) {
            text.append(" [").append(from == null ? "start" : from + " s").append(", ");
            text.append(to == null ? "end" : to + " s").append(')');
        }
        return text.toString();
    }
}
