package dev.penstock.s3;

import dev.penstock.spi.Blob;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Which chunk of which content.
 *
 * @param blob 32 hexadecimal digits of the SHA-256 of address, identity and chunk size: new content, new key
 * @param index number of the chunk in its blob
 */
record ChunkKey(String blob, long index) {

    /** The key of a blob's first chunk. */
    static ChunkKey first(Blob blob, int chunkSize) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((blob.uri() + "\n" + blob.identity() + "\n" + chunkSize).getBytes(StandardCharsets.UTF_8));
            return new ChunkKey(HexFormat.of().formatHex(digest, 0, 16), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    ChunkKey at(long chunk) {
        return new ChunkKey(blob, chunk);
    }

    /** 64 well-mixed bits of both parts. */
    long hash() {
        long of = ByteBuffer.wrap(HexFormat.of().parseHex(blob)).getLong() + index * 0x9e37_79b9_7f4a_7c15L;
        of = (of ^ (of >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        of = (of ^ (of >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return of ^ (of >>> 31);
    }
}
