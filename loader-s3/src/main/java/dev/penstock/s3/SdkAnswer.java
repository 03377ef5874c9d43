package dev.penstock.s3;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Leads the answer to a GET by the SDK's S3 client to its receiver. */
final class SdkAnswer implements AsyncResponseTransformer<GetObjectResponse, Integer> {
    private final RangeReceiver receiver;

    SdkAnswer(RangeReceiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public CompletableFuture<Integer> prepare() {
        return receiver.answer();
    }

    @Override
    public void onResponse(GetObjectResponse response) {
        receiver.head(response.contentRange());
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
        publisher.subscribe(receiver);
    }

    @Override
    public void exceptionOccurred(Throwable error) {
        receiver.fail(error);
    }
}
