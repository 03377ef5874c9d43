package dev.penstock.decode.ffmpeg;

import java.io.IOException;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/** Takes decoded frames, on the decoder's thread, in presentation order. */
@FunctionalInterface
public interface FrameSink {
    /**
     * One wanted frame. The frame is the decoder's: it is valid, and must not be changed, during the call only. Its
     * size and pixel format may differ from those of the frame before. A frame wanted twice comes twice.
     *
     * @param wantedOrdinal the frame's position in the plan's list of wanted frames
     */
    void frame(int wantedOrdinal, AVFrame frame) throws IOException;
}
