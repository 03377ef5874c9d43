package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Opens truth of any known format. Thread-safe. */
public final class TruthTables {
    private TruthTables() {}

    private static final class Formats {
        static final List<TruthFormat> FOUND = find();

        private static List<TruthFormat> find() {
            List<TruthFormat> formats = new ArrayList<>();
            ServiceLoader.load(TruthFormat.class, TruthTables.class.getClassLoader())
                    .forEach(formats::add);
            formats.add(JsonTruthFormat.INSTANCE); // last: it takes what no other does
            return List.copyOf(formats);
        }
    }

    /**
     * Opens an episode's truth. The format is chosen by the file's content. Reads JSON once from start to end; formats
     * with an index read that.
     *
     * @throws DatasetException when it is no right truth; the message says episode, file, line and field
     * @throws IOException when it can't be read
     */
    public static EpisodeTruth open(TruthInput input) throws IOException {
        URI uri = input.uri();
        String inline = input.inline();
        if (uri == null || inline != null) {
            byte[] text = String.valueOf(inline).getBytes(StandardCharsets.UTF_8);
            return new EpisodeTruth(input.episode(), JsonTruthFormat.INSTANCE.open(input, text));
        }
        Blob blob;
        try {
            blob = BlobStores.of(uri).open(uri);
        } catch (IOException e) {
            throw new DatasetException(input.prefix() + ": " + e.getMessage(), e);
        }
        try {
            List<TruthTable> tables = formatOf(input, blob).open(input, blob);
            SchemaCheck.stored(input, tables); // JSON's records were checked one by one
            return new EpisodeTruth(input.episode(), tables);
        } catch (IOException | RuntimeException e) {
            blob.close();
            throw e;
        }
    }

    private static TruthFormat formatOf(TruthInput input, Blob blob) throws IOException {
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(TruthFormat.HEAD_BYTES, blob.size()));
        blob.read(0, head);
        String path = String.valueOf(blob.uri().getPath());
        String name = path.substring(path.lastIndexOf('/') + 1);
        for (TruthFormat format : Formats.FOUND) {
            head.rewind();
            if (format.recognises(name, head)) {
                return format;
            }
        }
        throw new DatasetException(input.prefix() + ": neither JSON (an object, an array, JSON Lines, or gzip of one)"
                + " nor another known truth format; found "
                + (blob.size() == 0 ? "an empty file" : "a file that starts with " + printable(head.rewind())));
    }

    private static String printable(ByteBuffer head) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(8, head.limit()); i++) {
            int value = head.get(i) & 0xFF;
            text.append(i == 0 ? "" : " ").append(String.format("%02x", value));
        }
        return text.toString();
    }
}
