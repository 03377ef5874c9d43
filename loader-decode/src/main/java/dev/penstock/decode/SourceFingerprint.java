package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.spi.Blob;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 of what a source is made of, as far as its view sees it: the view, episode ids, anchors, truth, and of each
 * clip its size, codec and the time and size of every packet. Neither addresses nor modification times count, so a copy
 * of the data, here or in a bucket, has the same fingerprint.
 */
final class SourceFingerprint {
    private static final int PIECES = 4;
    private static final int PIECE = 16 << 10;

    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(8192);
    private final Map<ClipFile, byte[]> known = new HashMap<>();

    private SourceFingerprint() {
        this.digest = sha256();
    }

    static String of(View view, List<BoundEpisode> episodes) {
        SourceFingerprint print = new SourceFingerprint();
        print.text(view.toString()); // records all through; JSON would load its library for nothing
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

    /**
     * Of one episode, whatever the view: its clips and truth, and a few bytes of each clip, since packets of constant
     * size say nothing of their content.
     */
    static String of(Episode episode, Map<String, CameraClip> clips, @Nullable EpisodeTruth truth) throws IOException {
        SourceFingerprint print = new SourceFingerprint();
        print.text(episode.id());
        for (Map.Entry<String, CameraClip> clip : clips.entrySet()) {
            print.text(clip.getKey());
            print.clip(clip.getValue());
            print.pieces(clip.getValue().file().blob());
        }
        print.text(truth == null ? "" : truth.identity());
        print.flush();
        return HexFormat.of().formatHex(print.digest.digest());
    }

    private void pieces(Blob blob) throws IOException {
        flush();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, blob.size()));
        for (int i = 0; i < PIECES; i++) {
            piece.clear();
            blob.read((blob.size() - piece.capacity()) / (PIECES - 1) * i, piece);
            digest.update(piece.flip());
        }
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
