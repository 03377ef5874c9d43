package dev.penstock.s3;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares an object that was read whole with its etag.
 *
 * <p>The etag of an object that was put in one piece and is not encrypted with a key of its owner's is the MD5 of its
 * content (AWS, "Checking object integrity"). S3 has no digest for a part of an object: ranges rely on TLS. Some servers
 * make etags that look like an MD5 and are none; so when the same "wrong" digest comes twice, the etag is what is wrong:
 * the store stops comparing and says so. One instance per read; its methods are called one attempt after another.
 */
final class DigestCheck {
    /** Compares nothing. */
    static final DigestCheck NONE = new DigestCheck("", new AtomicBoolean(false));

    private static final Logger LOG = LoggerFactory.getLogger(DigestCheck.class);

    private final String expected;
    /** The store's: whether etags are believed to be digests. */
    private final AtomicBoolean believed;
    /** Written and read by the HTTP client's threads, guarded by this. */
    private String wrongBefore = "";

    private DigestCheck(String expected, AtomicBoolean believed) {
        this.expected = expected;
        this.believed = believed;
    }

    /** The check of an object with this etag; {@link #NONE} where it is no digest. */
    static DigestCheck of(String etag, AtomicBoolean believed) {
        String bare = etag.replace("\"", "");
        return believed.get() && bare.matches("[0-9a-f]{32}") ? new DigestCheck(bare, believed) : NONE;
    }

    @Nullable
    MessageDigest digest() {
        if (expected.isEmpty()) {
            return null;
        }
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            return null; // a JVM without MD5 goes unchecked
        }
    }

    /** What is wrong with content of this digest; null when nothing is. */
    synchronized @Nullable BodyException fault(String digest) {
        if (digest.isEmpty() || digest.equals(expected) || !believed.get()) {
            return null;
        }
        if (digest.equals(wrongBefore)) {
            believed.set(false);
            LOG.warn(
                    "an etag ({}) is twice not the MD5 of the content ({}): etags of this server are no digests and"
                            + " are not compared any more",
                    expected,
                    digest);
            return null;
        }
        wrongBefore = digest;
        return new BodyException(FailureKind.DIGEST, "the content's MD5 is " + digest + ", the etag " + expected);
    }
}
