package dev.penstock.s3;

/** Why a request failed: decides whether it is tried again, what the user is told and which counter moves. */
enum FailureKind {
    THROTTLED(true, "the server throttles", "lower readConcurrency, or spread the data over more prefixes"),
    SERVER(true, "the server failed", "look at the server's health"),
    CONNECT(true, "no connection", "check the endpoint, the network and the server"),
    TIMEOUT(true, "no answer in time", "check the network, or allow more time per attempt"),
    CUT(true, "the connection was cut", "check the network"),
    LENGTH(true, "the answer has the wrong length", "look at proxies between here and the server"),
    MOVED(true, "the bucket is in another region", "set the bucket's region"),
    DIGEST(true, "the bytes do not match the etag", "look at proxies between here and the server"),
    ABSENT(
            false,
            "it does not exist",
            "check bucket, key and endpoint; an object that was there a moment ago was deleted"),
    REFUSED(
            false,
            "access is refused",
            "check the credentials, the bucket's policy (s3:GetObject, s3:ListBucket; S3 also refuses absent keys to those"
                    + " who may not list), requester pays, and this machine's clock"),
    CHANGED(
            false,
            "it was replaced after it was opened",
            "do not write into a dataset that is being read; open it again to index the new object"),
    RANGE_IGNORED(false, "the server ignores ranges", "use a server or proxy that honours the Range header"),
    CREDENTIALS(
            false,
            "there are no credentials",
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role; or read anonymously"),
    REGION(false, "the region is wrong or unknown", "set the bucket's region, or AWS_REGION"),
    TRUST(false, "the server's certificate is not trusted", "add its authority to the JVM's trust store"),
    REQUEST(false, "the server does not accept the request", "see the cause"),
    CLOSED(false, "the store was closed", "close the store after its last reader"),
    UNKNOWN(false, "it failed", "see the cause");

    private final boolean retryable;
    private final String reason;
    private final String advice;

    FailureKind(boolean retryable, String reason, String advice) {
        this.retryable = retryable;
        this.reason = reason;
        this.advice = advice;
    }

    /** Whether the same request may succeed later. */
    boolean retryable() {
        return retryable;
    }

    /** In words, to stand after "because". */
    String reason() {
        return reason;
    }

    /** What the user may check. */
    String advice() {
        return advice;
    }
}
