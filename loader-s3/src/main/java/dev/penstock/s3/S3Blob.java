package dev.penstock.s3;

import dev.penstock.spi.Blob;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * An object as it was when it was opened. Holds nothing that would need closing. Thread-safe.
 *
 * <p>Every GET demands the etag of the opening ({@code If-Match}), so an object that was replaced fails at once instead
 * of mixing old bytes with new ones. A range longer than a part and a half is cut into equal parts that are fetched side
 * by side, each straight into its place.
 */
final class S3Blob implements Blob {
    private final S3BlobStore store;
    private final URI uri;
    private final S3Location location;
    private final ObjectHead head;
    /** See {@link #direct}; whichever thread's is kept is the same. */
    private volatile @Nullable SdkHttpFullRequest direct;

    S3Blob(S3BlobStore store, URI uri, S3Location location, ObjectHead head) {
        this.store = store;
        this.uri = uri;
        this.location = location;
        this.head = head;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public long size() {
        return head.size();
    }

    @Override
    public String identity() {
        return head.size() + "-" + head.etag().replace("\"", "");
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int wanted = target.remaining();
        if (offset < 0 || offset > head.size() - wanted) {
            throw new EOFException(uri + " has " + head.size() + " bytes; " + wanted + " from " + offset
                    + " on were asked for; it was cut, or its index is another object's");
        }
        if (wanted == 0) {
            return;
        }
        S3Clients clients = store.clients();
        List<Part> parts = new ArrayList<>();
        int count = parts(wanted, store.settings().partSize());
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) wanted * i / count);
            int to = (int) ((long) wanted * (i + 1) / count);
            parts.add(new Part(clients, offset + from, target.slice(target.position() + from, to - from)));
        }
        try {
            new RequestLoop<>(store.context(), parts).run(store.settings().partsAtOnce());
        } catch (IOException e) {
            store.heads().forget(location); // it may be gone or another by now
            throw e;
        }
        target.position(target.limit());
        store.context().counters().reads.increment();
        store.context().counters().bytesUsed.add(wanted);
    }

    private static int parts(int wanted, int partSize) {
        return wanted <= partSize + partSize / 2 ? 1 : (int) (((long) wanted + partSize - 1) / partSize);
    }

    /** The request without range and signature; made at the first read, by any thread, and always the same. */
    private SdkHttpFullRequest direct(DirectGets gets) {
        SdkHttpFullRequest known = direct;
        if (known == null) {
            known = gets.request(location);
            direct = known;
        }
        return known;
    }

    /** One GET's range. */
    private final class Part implements Operation<Integer> {
        private final S3Clients clients;
        private final long from;
        private final ByteBuffer target;
        private final DigestCheck check;

        Part(S3Clients clients, long from, ByteBuffer target) {
            this.clients = clients;
            this.from = from;
            this.target = target;
            this.check = target.remaining() == head.size()
                    ? DigestCheck.of(head.etag(), store.etagsAreDigests())
                    : DigestCheck.NONE;
        }

        @Override
        public String what() {
            return "s3 bucket " + location.bucket() + ", key " + location.key() + ", bytes " + from + " to "
                    + (from + target.remaining() - 1);
        }

        @Override
        public boolean hedgeable() {
            return store.settings().hedges();
        }

        @Override
        public Sent<Integer> send() {
            RangeSink sink = new RangeSink(target.duplicate(), check.digest());
            RangeReceiver receiver = new RangeReceiver(sink, from, head.size(), check, store.context());
            String range = "bytes=" + from + "-" + (from + target.remaining() - 1);
            return clients.direct().serves(location.bucket())
                    ? sendDirectly(range, receiver)
                    : sendBySdk(range, receiver);
        }

        private Sent<Integer> sendDirectly(String range, RangeReceiver receiver) {
            DirectGets gets = clients.direct();
            CompletableFuture<Void> exchange =
                    gets.send(direct(gets), range, head.etag(), new DirectAnswer(gets, receiver));
            var unused = exchange.exceptionally(error -> {
                receiver.fail(error); // where no handler heard of it
                return null;
            });
            var unusedToo = receiver.answer().whenComplete((bytes, error) -> {
                if (error instanceof CancellationException) {
                    exchange.cancel(true);
                }
            });
            return new SentPart(receiver, receiver.answer());
        }

        private Sent<Integer> sendBySdk(String range, RangeReceiver receiver) {
            GetObjectRequest.Builder request = GetObjectRequest.builder()
                    .bucket(location.bucket())
                    .key(location.key())
                    .range(range)
                    .requestPayer(store.payer());
            if (!head.etag().isEmpty()) {
                request.ifMatch(head.etag());
            }
            return new SentPart(receiver, clients.sdk().getObject(request.build(), new SdkAnswer(receiver)));
        }
    }

    private record SentPart(RangeReceiver receiver, CompletableFuture<Integer> future)
            implements Operation.Sent<Integer> {
        @Override
        public boolean begun() {
            return receiver.begun();
        }

        @Override
        public void shut() {
            receiver.shut();
        }
    }
}
