package dev.penstock.decode;

import dev.penstock.spi.BlobStore;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads an {@code episodes.jsonl} index: one JSON object per line. Lines end in LF or CRLF, blank lines and a UTF-8
 * byte order mark are passed over, and every error names file, line and field.
 */
final class EpisodeLines {
    /** A line longer than this is taken for a file that is no index. Inline truth can make lines long. */
    private static final int LONGEST_LINE = 256 << 20;

    private final URI index;
    private final List<Episode> episodes = new ArrayList<>();
    private final Map<String, Integer> lineOf = new HashMap<>();
    private int line;

    private EpisodeLines(URI index) {
        this.index = index;
    }

    /** The episodes of an index, in its order; at least one. */
    static List<Episode> read(BlobStore store, URI index) throws IOException {
        EpisodeLines lines = new EpisodeLines(index);
        try (InputStream in = new BlobInputStream(store.open(index))) {
            lines.readAll(in);
        }
        if (lines.episodes.isEmpty()) {
            throw new DatasetException(
                    Addresses.readable(index) + " has no episode; write one JSON object per line, see docs/formats.md");
        }
        return List.copyOf(lines.episodes);
    }

    private void readAll(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                add(bytes.toByteArray());
                bytes.reset();
            } else {
                bytes.write(b);
                if (bytes.size() > LONGEST_LINE) {
                    throw new DatasetException(Addresses.readable(index) + " line " + (line + 1) + " passes "
                            + (LONGEST_LINE >> 20) + " MiB; is it an index of one JSON object per line?");
                }
            }
        }
        add(bytes.toByteArray());
    }

    private void add(byte[] bytes) throws DatasetException {
        line++;
        int start = line == 1 ? byteOrderMark(bytes) : 0;
        if (isBlank(bytes, start)) {
            return;
        }
        String where = Addresses.readable(index) + " line " + line;
        Episode episode = EpisodeJson.read(index, where, bytes, start);
        Integer before = lineOf.putIfAbsent(episode.id(), line);
        if (before != null) {
            throw new DatasetException(where + ": field 'id' is '" + episode.id() + "', which line " + before
                    + " has already; ids must be unique");
        }
        episodes.add(episode);
    }

    private static int byteOrderMark(byte[] bytes) {
        boolean marked =
                bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        return marked ? 3 : 0;
    }

    private static boolean isBlank(byte[] bytes, int start) {
        for (int i = start; i < bytes.length; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }
}
