package dev.penstock.bench;

import java.nio.file.Path;

/** Where the command line keeps what it can make again. */
final class UserCache {
    private UserCache() {}

    /** {@code $XDG_CACHE_HOME/penstock}, or {@code ~/.cache/penstock}. */
    static Path folder() {
        String set = System.getenv("XDG_CACHE_HOME");
        Path caches = set == null || set.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        return caches.resolve("penstock");
    }
}
