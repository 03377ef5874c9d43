package dev.penstock.spi;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stores of this JVM by URI scheme: {@code file} is built in, others come through {@link ServiceLoader} or
 * {@link #register}. Thread-safe.
 */
public final class BlobStores {
    /** Guarded by being concurrent; a store is made once and kept for the life of the JVM. */
    private static final Map<String, BlobStore> STORES = new ConcurrentHashMap<>();

    static {
        register(new LocalBlobStore());
    }

    private BlobStores() {}

    /** Puts a store in front of any other for its scheme (an S3 store with an endpoint of its own, say). */
    public static void register(BlobStore store) {
        STORES.put(store.scheme(), store);
    }

    /**
     * The store that serves {@code uri}.
     *
     * @throws IllegalArgumentException when no store on the class path serves its scheme
     */
    public static BlobStore of(URI uri) {
        String scheme = uri.getScheme() == null ? "file" : uri.getScheme();
        BlobStore known = STORES.get(scheme);
        return known != null ? known : STORES.computeIfAbsent(scheme, BlobStores::load);
    }

    /** A path or URI as people type it: {@code s3://…} and {@code file:…} as they are, anything else a local path. */
    public static URI uri(String text) {
        return text.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")
                ? URI.create(text)
                : Path.of(text).toAbsolutePath().normalize().toUri();
    }

    private static BlobStore load(String scheme) {
        for (BlobStore store : ServiceLoader.load(BlobStore.class, BlobStores.class.getClassLoader())) {
            if (store.scheme().equals(scheme)) {
                return store;
            }
        }
        throw new IllegalArgumentException("nothing on the class path reads " + scheme + ":// addresses"
                + (scheme.equals("s3") ? "; add the module loader-s3" : "; file and s3 are known"));
    }
}
