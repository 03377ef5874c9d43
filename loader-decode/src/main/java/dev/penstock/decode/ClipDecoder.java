package dev.penstock.decode;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.MissingFramesException;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.decode.ffmpeg.SlotDecoder;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Decodes a piece of work into a batch. One thread. A frame that can't be had fails the rows that want it and no other;
 * a clip that can't be decoded at all fails them all.
 */
final class ClipDecoder implements SampleDecoder {
    private final View view;
    private final SlotDecoder decoder;
    private final FrameScatter scatter;
    private final WindowPlan plan = new WindowPlan();

    ClipDecoder(View view, SampleLocator locator, TensorPlaces places, DecodeLimits limits) {
        this.view = view;
        this.decoder = new SlotDecoder(limits);
        this.scatter = new FrameScatter(view.videos(), locator, places);
    }

    @Override
    public void decode(DecodeWork piece, ByteBuffer bytes, BatchTarget target) throws SampleException {
        ClipWork work = (ClipWork) piece;
        if (allFailed(work, target)) {
            return;
        }
        scatter.begin(work, target);
        try {
            ClipFile file = work.clip().file();
            plan.plan(file.index(), scatter.wanted(), 0, scatter.wantedCount());
            decoder.decode(file.index(), plan, bytes, file.blob(), file.shape(), scatter);
        } catch (MissingFramesException e) {
            failRows(work, e, target);
        } catch (ClipException e) {
            throw failure(work, e.frame(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw failure(work, -1, e);
        } finally {
            scatter.end();
        }
    }

    private static boolean allFailed(ClipWork work, BatchTarget target) {
        for (int i = 0; i < work.rows(); i++) {
            if (!target.hasFailed(work.row(i))) {
                return false;
            }
        }
        return true;
    }

    private void failRows(ClipWork work, MissingFramesException missing, BatchTarget target) {
        int[] frames = missing.frames();
        for (int w = 0; w < work.windows(); w++) {
            for (int frame : frames) {
                if (scatter.wants(w, frame)) {
                    target.fail(work.rowOf(w), failure(work, w, frame, missing));
                    break;
                }
            }
        }
    }

    private SampleException failure(ClipWork work, int window, int frame, ClipException cause) {
        return failure(work, view.videos().get(work.columnOf(window)).camera(), frame, cause);
    }

    private SampleException failure(ClipWork work, int frame, Exception cause) {
        return failure(work, view.videos().get(work.columnOf(0)).camera(), frame, cause);
    }

    private SampleException failure(ClipWork work, String camera, int frame, Exception cause) {
        StringBuilder text = new StringBuilder("camera '").append(camera).append('\'');
        if (frame >= 0) {
            text.append(String.format(
                    Locale.ROOT, ", frame %d at %.3f s", frame, work.clip().secondsOf(frame)));
        }
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (!message.contains(work.clip().clip().uri().toString())) {
            text.append(" of ").append(Addresses.readable(work.clip().clip().uri()));
        }
        return new SampleException(text.append(": ").append(message).toString(), camera, frame, cause);
    }

    @Override
    public void close() {
        decoder.close();
    }
}
