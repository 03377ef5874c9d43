package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * Stores objects whole: small ones by one PUT, larger ones by a multipart upload that becomes visible when it is
 * completed and is taken back when it fails. Content can't be read twice from a stream, so what is being sent is held in
 * memory: one small object, or {@value #AT_ONCE} parts.
 */
final class S3Writer {
    private static final Logger LOG = LoggerFactory.getLogger(S3Writer.class);
    private static final int AT_ONCE = 4;
    /** Of the protocol. */
    private static final int MOST_PARTS = 10_000;

    private final S3AsyncClient client;
    private final RequestContext context;
    private final int partSize;
    private final @org.jspecify.annotations.Nullable RequestPayer payer;

    S3Writer(
            S3AsyncClient client,
            RequestContext context,
            int partSize,
            @org.jspecify.annotations.Nullable RequestPayer payer) {
        this.client = client;
        this.context = context;
        this.partSize = partSize;
        this.payer = payer;
    }

    void write(S3Location to, InputStream content, long size) throws IOException {
        if (size <= 2L * partSize) {
            byte[] bytes = content.readNBytes((int) size);
            checkLength(to, bytes.length, size, content);
            run(
                    what(to, "PUT"),
                    () -> client.putObject(
                            request -> request.bucket(to.bucket()).key(to.key()).requestPayer(payer),
                            AsyncRequestBody.fromBytesUnsafe(bytes)));
        } else {
            writeParts(to, content, size);
        }
        context.counters().bytesWritten.add(size);
    }

    private void writeParts(S3Location to, InputStream content, long size) throws IOException {
        String upload = run(
                        what(to, "start of an upload"),
                        () -> client.createMultipartUpload(request ->
                                request.bucket(to.bucket()).key(to.key()).requestPayer(payer)))
                .uploadId();
        try {
            List<CompletedPart> parts = sendParts(to, upload, content, size);
            complete(to, upload, parts, size);
        } catch (IOException | RuntimeException e) {
            abort(to, upload, e);
            throw e;
        }
    }

    private List<CompletedPart> sendParts(S3Location to, String upload, InputStream content, long size)
            throws IOException {
        long ofEach = Math.max(partSize, (size + MOST_PARTS - 1) / MOST_PARTS);
        List<CompletedPart> done = new ArrayList<>();
        long sent = 0;
        while (sent < size) {
            List<Operation<UploadPartResponse>> wave = new ArrayList<>();
            int first = done.size() + 1;
            while (wave.size() < AT_ONCE && sent < size) {
                byte[] bytes = content.readNBytes((int) Math.min(ofEach, size - sent));
                sent += bytes.length;
                if (bytes.length == 0) {
                    break;
                }
                wave.add(part(to, upload, first + wave.size(), bytes));
            }
            if (wave.isEmpty()) {
                break;
            }
            for (UploadPartResponse answer : new RequestLoop<>(context, wave).run(AT_ONCE)) {
                done.add(CompletedPart.builder()
                        .partNumber(done.size() + 1)
                        .eTag(answer.eTag())
                        .build());
            }
        }
        checkLength(to, sent, size, content);
        return done;
    }

    private Operation<UploadPartResponse> part(S3Location to, String upload, int number, byte[] bytes) {
        return Operation.of(
                what(to, "part " + number),
                () -> client.uploadPart(
                        request -> request.bucket(to.bucket())
                                .key(to.key())
                                .uploadId(upload)
                                .partNumber(number)
                                .requestPayer(payer),
                        AsyncRequestBody.fromBytesUnsafe(bytes)));
    }

    private void complete(S3Location to, String upload, List<CompletedPart> parts, long size) throws IOException {
        try {
            run(
                    what(to, "completion of the upload"),
                    () -> client.completeMultipartUpload(request -> request.bucket(to.bucket())
                            .key(to.key())
                            .uploadId(upload)
                            .requestPayer(payer)
                            .multipartUpload(all -> all.parts(parts))));
        } catch (BlobException e) {
            // The answer to a completion that worked may have been lost; trying again then finds no upload.
            if (!(e.getCause() instanceof NoSuchUploadException)) {
                throw e;
            }
            HeadObjectResponse head = run(
                    what(to, "HEAD"),
                    () -> client.headObject(
                            request -> request.bucket(to.bucket()).key(to.key()).requestPayer(payer)));
            if (head.contentLength() != size) {
                throw e;
            }
        }
    }

    private void abort(S3Location to, String upload, Exception cause) {
        try {
            run(
                    what(to, "taking back of the upload"),
                    () -> client.abortMultipartUpload(request -> request.bucket(to.bucket())
                            .key(to.key())
                            .uploadId(upload)
                            .requestPayer(payer)));
        } catch (IOException e) {
            cause.addSuppressed(e);
            LOG.warn(
                    "s3 bucket {}, key {}: upload {} could not be taken back and is billed until the bucket's lifecycle"
                            + " rule removes it",
                    to.bucket(),
                    to.key(),
                    upload,
                    e);
        }
    }

    private static void checkLength(S3Location to, long came, long announced, InputStream content) throws IOException {
        if (came != announced || content.read() >= 0) {
            throw new BlobException(
                    "s3 bucket " + to.bucket() + ", key " + to.key() + ": "
                            + (came != announced ? String.valueOf(came) : "more") + " bytes came, " + announced
                            + " were announced; nothing was stored",
                    false);
        }
    }

    private <T> T run(String what, java.util.function.Supplier<java.util.concurrent.CompletableFuture<T>> request)
            throws IOException {
        return new RequestLoop<T>(context, List.of(Operation.of(what, request)))
                .run(1)
                .get(0);
    }

    private static String what(S3Location to, String action) {
        return "s3 bucket " + to.bucket() + ", key " + to.key() + ", " + action;
    }
}
