package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * An object's place. In a URI the bucket is the authority and the key is the decoded path without its first slash; a key
 * that starts with a slash of its own therefore shows two.
 *
 * @param key empty for the bucket itself
 */
record S3Location(String bucket, String key) {

    /** @throws BlobException when {@code uri} names no bucket */
    static S3Location of(URI uri) throws BlobException {
        String bucket = uri.getAuthority();
        if (!"s3".equals(uri.getScheme()) || bucket == null || bucket.isEmpty()) {
            throw new BlobException(uri + " names no S3 object; write s3://bucket/key", false);
        }
        String path = uri.getPath();
        return new S3Location(bucket, path.isEmpty() ? "" : path.substring(1));
    }

    /** As {@link #of}, for an object: the key may not be empty. */
    static S3Location ofObject(URI uri) throws BlobException {
        S3Location location = of(uri);
        if (location.key().isEmpty()) {
            throw new BlobException(uri + " is a bucket, an object is needed; write s3://bucket/key", false);
        }
        return location;
    }

    /** The key as a prefix of what is in the folder: empty, or with a slash at its end. */
    String prefix() {
        return key.isEmpty() || key.endsWith("/") ? key : key + "/";
    }

    URI uri() {
        try {
            return new URI("s3", bucket, "/" + key, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("bucket " + bucket + ", key " + key + " make no URI", e);
        }
    }
}
