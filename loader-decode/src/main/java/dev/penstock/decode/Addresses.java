package dev.penstock.decode;

import java.net.URI;
import java.net.URISyntaxException;

/** Turns what people write in an index (paths and URIs) into URIs, and names parts of them. */
final class Addresses {

    private Addresses() {}

    /**
     * What {@code text} in the file {@code base} means: a URI as it is, anything else a path relative to the base's
     * folder (or from its root when it starts with a slash), in which spaces and the like stand for themselves.
     *
     * @throws IllegalArgumentException when it is neither
     */
    static URI resolve(URI base, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty");
        }
        try {
            if (text.matches("[A-Za-z][A-Za-z0-9+.-]+:/.*")) {
                return new URI(text);
            }
            return base.resolve(new URI(null, null, text.startsWith("/") ? text : "./" + text, null));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is neither a path nor a URI: " + e.getReason(), e);
        }
    }

    /** The address with a slash at its end. */
    static URI folder(URI uri) {
        return uri.toString().endsWith("/") ? uri : URI.create(uri + "/");
    }

    /** The entry {@code name} of a folder; the name may hold any character. */
    static URI child(URI folder, String name) {
        return resolve(folder(folder), name);
    }

    /** The last part of the path. */
    static String name(URI uri) {
        String path = uri.getPath() == null ? uri.toString() : uri.getPath();
        String whole = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return whole.substring(whole.lastIndexOf('/') + 1);
    }

    /** A local file's plain path, any other address as it is. */
    static String readable(URI uri) {
        return "file".equals(uri.getScheme()) && uri.getPath() != null ? uri.getPath() : uri.toString();
    }
}
