package dev.penstock.s3;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** Sorts what the SDK, Netty and the JDK throw into {@link FailureKind}s. */
final class Failures {
    private Failures() {}

    /** The failure without the wrappings of futures. */
    static Throwable unwrap(Throwable failure) {
        Throwable bare = failure;
        while (bare instanceof CompletionException && bare.getCause() != null) {
            bare = bare.getCause();
        }
        return bare;
    }

    static FailureKind kindOf(Throwable failure) {
        Throwable bare = unwrap(failure);
        for (Throwable cause = bare; cause != null; cause = cause.getCause()) {
            if (cause instanceof BodyException body) {
                return body.kind();
            }
            if (cause instanceof AwsServiceException service) {
                return ofService(service);
            }
        }
        for (Throwable cause = bare; cause != null; cause = cause.getCause()) {
            FailureKind kind = ofClient(cause);
            if (kind != FailureKind.UNKNOWN) {
                return kind;
            }
        }
        return bare instanceof SdkException sdk && sdk.retryable() ? FailureKind.CUT : FailureKind.UNKNOWN;
    }

    private static FailureKind ofService(AwsServiceException e) {
        String code = e.awsErrorDetails() == null
                ? ""
                : String.valueOf(e.awsErrorDetails().errorCode());
        return switch (code) {
            case "RequestTimeout" -> FailureKind.TIMEOUT;
            case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException" ->
                FailureKind.REGION;
            case "ExpiredToken", "InvalidToken", "RequestTimeTooSkewed", "InvalidAccessKeyId" -> FailureKind.REFUSED;
            // A checksum or a length that the server found wrong: the request was damaged on its way.
            case "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody" -> FailureKind.LENGTH;
            default -> e.isThrottlingException() ? FailureKind.THROTTLED : ofStatus(e.statusCode());
        };
    }

    private static FailureKind ofStatus(int status) {
        return switch (status) {
            case 301, 307 -> FailureKind.REGION;
            case 401, 403 -> FailureKind.REFUSED;
            case 404 -> FailureKind.ABSENT;
            case 408 -> FailureKind.TIMEOUT;
            case 409 -> FailureKind.SERVER; // a conflicting operation is going on
            case 412, 416 -> FailureKind.CHANGED;
            case 501 -> FailureKind.REQUEST; // a header that the server does not know, requester pays for one
            case 429, 503 -> FailureKind.THROTTLED;
            default -> status >= 500 ? FailureKind.SERVER : FailureKind.REQUEST;
        };
    }

    private static FailureKind ofClient(Throwable cause) {
        String type = cause.getClass().getName();
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (cause instanceof CertificateException) {
            return FailureKind.TRUST;
        }
        if (message.contains("unable to load credentials")) {
            return FailureKind.CREDENTIALS;
        }
        if (message.contains("unable to load region")) {
            return FailureKind.REGION;
        }
        if (cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException
                || cause instanceof TimeoutException
                || cause instanceof SocketTimeoutException
                || type.endsWith("ReadTimeoutException")
                || type.endsWith("WriteTimeoutException")) {
            return type.contains("Connect") ? FailureKind.CONNECT : FailureKind.TIMEOUT;
        }
        if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
            return FailureKind.CONNECT;
        }
        // Whatever else the transport says: a reset, an early end, a head that can't be parsed.
        return cause instanceof IOException || type.startsWith("io.netty.") ? FailureKind.CUT : FailureKind.UNKNOWN;
    }
}
