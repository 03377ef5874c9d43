package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.view.View;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * SHA-256 of what a source is made of, as far as its view sees it: the view, episode ids, anchors, truth, and of each
 * clip its size, codec and the time and size of every packet. Neither addresses nor modification times count, so a copy
 * of the data, here or in a bucket, has the same fingerprint.
 */
final class SourceFingerprint {
    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(8192);
    private final Map<ClipFile, byte[]> known = new HashMap<>();

    private SourceFingerprint() {
        this.digest = sha256();
    }

    static String of(View view, List<BoundEpisode> episodes) {
        SourceFingerprint print = new SourceFingerprint();
        print.text(view.toJson());
        for (BoundEpisode episode : episodes) {
            print.text(episode.id());
            print.number(episode.anchors().count());
            for (int column = 0; column < episode.columns(); column++) {
                print.clip(episode.clip(column));
            }
            CameraClip master = episode.master();
            if (master != null) {
                print.clip(master);
            }
            TruthBinding truth = episode.truth();
            print.text(truth == null ? "" : truth.truth().identity());
        }
        print.flush();
        return HexFormat.of().formatHex(print.digest.digest());
    }

    private void clip(CameraClip clip) {
        number(clip.first());
        number(clip.end());
        number(Double.doubleToLongBits(clip.clip().origin()));
        flush();
        digest.update(known.computeIfAbsent(clip.file(), file -> content(file.index())));
    }

    private static byte[] content(ClipIndex index) {
        SourceFingerprint print = new SourceFingerprint();
        print.number(index.source().blobSize());
        print.text(index.format().codec());
        print.number(index.format().width());
        print.number(index.format().height());
        print.number(index.frameCount());
        print.number(index.source().timeBaseNumerator());
        print.number(index.source().timeBaseDenominator());
        PacketTable packets = index.packets();
        for (int p = 0; p < packets.count(); p++) {
            print.number(packets.pts(p));
            print.number(packets.size(p));
        }
        print.flush();
        return print.digest.digest();
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        flush();
        digest.update(bytes);
    }

    private void number(long value) {
        if (buffer.remaining() < Long.BYTES) {
            flush();
        }
        buffer.putLong(value);
    }

    private void flush() {
        digest.update(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
