package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import org.jspecify.annotations.Nullable;

/**
 * The SDK's clients of one store, made at the first use, so that a store nobody uses asks for no region or credentials,
 * and its threads. Thread-safe.
 */
final class S3Connection {
    private final S3Settings settings;
    /** Guarded by this. */
    private @Nullable S3Clients clients;
    /** Guarded by this; null until the first use, and where the HTTP client brings threads of its own. */
    private @Nullable IoThreads threads;
    /** Guarded by this. */
    private boolean closed;

    S3Connection(S3Settings settings) {
        this.settings = settings;
    }

    synchronized S3Clients clients() throws BlobException {
        if (closed) {
            throw new BlobException("the S3 store was closed; make another", false);
        }
        S3Clients current = clients;
        if (current == null) {
            IoThreads own = settings.httpClient() == null ? IoThreads.start() : null;
            try {
                current = S3Clients.make(settings, own);
            } catch (BlobException | RuntimeException e) {
                if (own != null) {
                    own.close();
                }
                throw e;
            }
            threads = own;
            clients = current;
        }
        return current;
    }

    /** Closes the clients, then its connections, then its threads; in another order Netty reports errors. */
    void close() {
        S3Clients lastClients;
        IoThreads lastThreads;
        synchronized (this) {
            closed = true;
            lastClients = clients;
            lastThreads = threads;
            clients = null;
            threads = null;
        }
        if (lastClients != null) {
            lastClients.close();
        }
        if (lastThreads != null) {
            lastThreads.close();
        }
    }
}
