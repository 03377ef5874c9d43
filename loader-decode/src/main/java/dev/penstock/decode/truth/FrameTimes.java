package dev.penstock.decode.truth;

import java.io.IOException;

/** The times of a clip's frames; what {@code frame} numbers in truth are turned into seconds with. */
@FunctionalInterface
public interface FrameTimes {

    /** Seconds on the episode's clock of each frame, in display order. Asked at most once, only where needed. */
    double[] seconds() throws IOException;
}
