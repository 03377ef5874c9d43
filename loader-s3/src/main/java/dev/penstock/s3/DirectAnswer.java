package dev.penstock.s3;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Leads the answer to a {@link DirectGets} request to its receiver: a good one's body as it comes, an error as the
 * {@link S3Exception} that the SDK's client would throw. Called by the HTTP client's thread.
 */
final class DirectAnswer implements SdkAsyncHttpResponseHandler {
    private static final int MOST_ERROR_BYTES = 64 << 10;

    private final DirectGets gets;
    private final RangeReceiver receiver;
    /** Confined to the client's thread; null before the head and after a good one. */
    private @Nullable SdkHttpResponse error;

    DirectAnswer(DirectGets gets, RangeReceiver receiver) {
        this.gets = gets;
        this.receiver = receiver;
    }

    @Override
    public void onHeaders(SdkHttpResponse head) {
        if (head.isSuccessful()) {
            receiver.head(head.firstMatchingHeader("Content-Range").orElse(null));
        } else {
            error = head;
        }
    }

    @Override
    public void onStream(Publisher<ByteBuffer> body) {
        SdkHttpResponse refused = error;
        body.subscribe(refused == null ? receiver : new ErrorBody(refused));
    }

    @Override
    public void onError(Throwable failure) {
        receiver.fail(SdkClientException.create(String.valueOf(failure.getMessage()), failure));
    }

    /** The error that an answer means. */
    static S3Exception exception(SdkHttpResponse head, String body) {
        String code = element("Code", body);
        String message = element("Message", body);
        String request = head.firstMatchingHeader("x-amz-request-id").orElse("");
        AwsErrorDetails details = AwsErrorDetails.builder()
                .serviceName("S3")
                .errorCode(code.isEmpty() ? null : code)
                .errorMessage(message.isEmpty() ? head.statusText().orElse("no message") : message)
                .sdkHttpResponse(head)
                .build();
        return (S3Exception) S3Exception.builder()
                .awsErrorDetails(details)
                .statusCode(head.statusCode())
                .requestId(request.isEmpty() ? null : request)
                .build();
    }

    private static String element(String name, String xml) {
        Matcher found = Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(xml);
        return found.find() ? found.group(1) : "";
    }

    private final class ErrorBody implements Subscriber<ByteBuffer> {
        private final SdkHttpResponse head;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        ErrorBody(SdkHttpResponse head) {
            this.head = head;
        }

        @Override
        public void onSubscribe(Subscription s) {
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            byte[] some = new byte[Math.min(part.remaining(), MOST_ERROR_BYTES - bytes.size())];
            part.get(some);
            bytes.writeBytes(some);
        }

        @Override
        public void onError(Throwable failure) {
            onComplete(); // the status is the better answer
        }

        @Override
        public void onComplete() {
            S3Exception refusal = exception(head, bytes.toString(StandardCharsets.UTF_8));
            if (Failures.kindOf(refusal) == FailureKind.REGION) {
                gets.misled(); // the next attempt is the S3 client's, which finds the region or says what is wrong
                receiver.fail(new BodyException(FailureKind.MOVED, String.valueOf(refusal.getMessage())));
            } else {
                receiver.fail(refusal);
            }
        }
    }
}
