package dev.penstock.arrow.artifact;

import java.util.List;

/** Names of files and folders made of names that may hold any character. Different names never give the same file. */
final class Names {
    private static final int LONGEST = 60;

    private Names() {}

    /** The name itself where every file system and URI takes it, else what of it can stay and a piece of its digest. */
    static String file(String name) {
        String safe = safe(name);
        return safe.equals(name) ? safe : safe + "-" + Digests.of(List.of(name)).substring(0, 8);
    }

    /** The folder of one state of an episode: another content or another way to write it has another folder. */
    static String folder(String episode, String fingerprint, String key) {
        return safe(episode) + "-"
                + Digests.of(List.of(episode, fingerprint, key)).substring(0, 12);
    }

    private static String safe(String name) {
        String kept = name.replaceAll("[^a-z0-9._-]", "_").replaceAll("^[.-]", "_");
        return kept.length() <= LONGEST ? kept : kept.substring(0, LONGEST);
    }
}
