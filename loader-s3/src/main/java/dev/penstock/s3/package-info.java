/**
 * Blobs of S3 and of servers that speak its protocol, and a disk cache for any store.
 *
 * <p>{@link dev.penstock.s3.S3BlobStore} is found by its scheme with the SDK's default credentials and region; build and
 * register one to set an endpoint, path style, concurrency, retries or hedging. {@link dev.penstock.s3.DiskCache} wraps
 * it (or any other {@link dev.penstock.spi.BlobStore}) to keep what was read on a local disk.
 */
@NullMarked
package dev.penstock.s3;

import org.jspecify.annotations.NullMarked;
