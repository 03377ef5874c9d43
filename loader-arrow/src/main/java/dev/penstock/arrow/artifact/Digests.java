package dev.penstock.arrow.artifact;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as hex. */
final class Digests {
    private static final int PIECE = 1 << 20;

    private Digests() {}

    /** Of a blob's bytes. */
    static String of(URI uri) throws IOException {
        MessageDigest digest = sha256();
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        try (Blob blob = BlobStores.of(uri).open(uri)) {
            for (long at = 0; at < blob.size(); at += piece.limit()) {
                piece.clear().limit((int) Math.min(PIECE, blob.size() - at));
                blob.read(at, piece);
                digest.update(piece.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Of texts, each with its end marked. */
    static String of(Iterable<String> texts) {
        MessageDigest digest = sha256();
        for (String text : texts) {
            digest.update(text.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
