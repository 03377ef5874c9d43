package dev.penstock.s3.kit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first line and the headers of an HTTP/1.1 message. Not thread-safe. */
final class HttpHead {
    private final List<String> lines;

    private HttpHead(List<String> lines) {
        this.lines = lines;
    }

    /** The next head; null when the stream ends before it. */
    static @Nullable HttpHead read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int ends = 0;
        while (ends < 4) {
            int b = in.read();
            if (b < 0) {
                if (bytes.size() == 0) {
                    return null;
                }
                throw new EOFException("a head ended early");
            }
            bytes.write(b);
            boolean wanted = b == (ends % 2 == 0 ? '\r' : '\n');
            ends = wanted ? ends + 1 : b == '\r' ? 1 : 0;
        }
        String text = bytes.toString(StandardCharsets.ISO_8859_1);
        return new HttpHead(new ArrayList<>(text.strip().lines().toList()));
    }

    String firstLine() {
        return lines.get(0);
    }

    /** A part of the first line. */
    String word(int i) {
        return firstLine().split(" ", 3)[i];
    }

    String header(String name) {
        for (String line : lines.subList(1, lines.size())) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    void remove(String name) {
        lines.removeIf(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1));
    }

    void set(String name, String value) {
        remove(name);
        lines.add(name + ": " + value);
    }

    /** Bytes of the body; 0 when nothing says so, -1 for chunks. */
    long bodyLength() {
        if (header("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            return -1;
        }
        String length = header("Content-Length");
        return length.isEmpty() ? 0 : Long.parseLong(length);
    }

    /** First line and headers, a line each. */
    String text() {
        return String.join("\n", lines);
    }

    byte[] bytes() {
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
