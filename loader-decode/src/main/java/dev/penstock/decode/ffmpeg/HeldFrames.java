package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_move_ref;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_unref;

import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * Wanted frames that wait for the verdict on a packet sent before them: a B-frame comes out before the P-frame that it
 * refers to, and only with the P-frame comes the word that it was damaged. That may bring out frames past the last
 * wanted one; a call that continues finds them here. First in, first out; references, no copies. One owner thread.
 */
final class HeldFrames implements AutoCloseable {
    /** H.264 and HEVC reorder at most 16 frames, and a verdict may be that many frames away. */
    private static final int SLOTS = 34;

    private final AVFrame[] frames = new AVFrame[SLOTS];
    private final int[] packets = new int[SLOTS];
    private int first;
    private int count;

    HeldFrames() {
        for (int i = 0; i < SLOTS; i++) {
            frames[i] = av_frame_alloc();
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == SLOTS;
    }

    /** Takes the picture out of a received frame. */
    void add(AVFrame received, int packet) {
        int slot = (first + count++) % SLOTS;
        av_frame_move_ref(frames[slot], received);
        packets[slot] = packet;
    }

    /** The packet of the frame held longest. */
    int packet() {
        return packets[first];
    }

    /** The frame held longest; {@link #drop} it afterwards. */
    AVFrame frame() {
        return frames[first];
    }

    /** Whether the packet's frame is held. */
    boolean contains(int packet) {
        for (int i = 0; i < count; i++) {
            if (packets[(first + i) % SLOTS] == packet) {
                return true;
            }
        }
        return false;
    }

    void drop() {
        av_frame_unref(frames[first]);
        first = (first + 1) % SLOTS;
        count--;
    }

    void clear() {
        while (count > 0) {
            drop();
        }
    }

    @Override
    public void close() {
        for (AVFrame frame : frames) {
            av_frame_free(frame);
        }
    }
}
