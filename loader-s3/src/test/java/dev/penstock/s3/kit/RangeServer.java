package dev.penstock.s3.kit;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Answers HEAD and ranged GET for the files under a folder ({@code /bucket/key} is {@code folder/bucket/key}) as S3 does,
 * with a latency before each answer and a rate for each connection. For measurements only: it checks no signature and
 * knows nothing else of the protocol, so it takes next to nothing of the cores that the client is measured on, which a
 * whole S3 server would. It runs in a JVM of its own, and ends with {@link #close} and with this JVM.
 */
public final class RangeServer implements AutoCloseable {
    private static final int SLICE = 64 << 10;

    private final Process process;
    private final URI endpoint;

    private RangeServer(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /** Serves {@code folder}: time before every answer, and bytes per second of each connection. */
    public static RangeServer start(Path folder, Duration latency, long bytesPerSecond) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RangeServer.class.getName(),
                        folder.toString(),
                        Long.toString(latency.toMillis()),
                        Long.toString(bytesPerSecond))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        BufferedReader said = process.inputReader();
        @Nullable String line = said.readLine();
        if (line == null) {
            throw new IOException("the server's process ended at once");
        }
        return new RangeServer(process, URI.create(line));
    }

    /** Where it listens. */
    public URI endpoint() {
        return endpoint;
    }

    /** Processor time that its process has used. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** The other process: arguments folder, milliseconds, bytes per second. Says where it listens and stays. */
    public static void main(String[] args) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress())) {
            new PrintStream(System.out, true, StandardCharsets.UTF_8)
                    .println("http://127.0.0.1:" + listener.getLocalPort());
            while (true) {
                Socket client = listener.accept();
                Thread thread = new Thread(() ->
                        serve(client, Path.of(args[0]), Long.parseLong(args[1]) * 1_000_000, Long.parseLong(args[2])));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(Socket client, Path folder, long latencyNanos, long bytesPerSecond) {
        try (client) {
            client.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            ByteBuffer slice = ByteBuffer.allocate(SLICE);
            for (HttpHead request = HttpHead.read(in); request != null; request = HttpHead.read(in)) {
                park(System.nanoTime() + latencyNanos);
                answer(request, folder, out, slice, bytesPerSecond);
            }
        } catch (IOException e) {
            return; // the client went
        }
    }

    private static void answer(HttpHead request, Path folder, OutputStream out, ByteBuffer slice, long bytesPerSecond)
            throws IOException {
        String path = URI.create(request.word(1)).getPath();
        Path file = folder.resolve(path.substring(1));
        if (!Files.isRegularFile(file)) {
            head(out, "404 Not Found", "Content-Length: 0");
            return;
        }
        long size = Files.size(file);
        String etag =
                "ETag: \"" + Long.toHexString(Files.getLastModifiedTime(file).toMillis()) + "-" + size + "\"";
        String range = request.header("Range");
        if (request.word(0).equals("HEAD")) {
            head(out, "200 OK", etag, "Content-Length: " + size);
            return;
        }
        long from = 0;
        long to = size;
        if (!range.isEmpty()) {
            String[] ends = range.substring("bytes=".length()).split("-", 2);
            from = Long.parseLong(ends[0]);
            to = Math.min(size, Long.parseLong(ends[1]) + 1);
            head(
                    out,
                    "206 Partial Content",
                    etag,
                    "Content-Range: bytes " + from + "-" + (to - 1) + "/" + size,
                    "Content-Length: " + (to - from));
        } else {
            head(out, "200 OK", etag, "Content-Length: " + size);
        }
        body(file, from, to, out, slice, bytesPerSecond);
    }

    private static void head(OutputStream out, String status, String... headers) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void body(Path file, long from, long to, OutputStream out, ByteBuffer slice, long bytesPerSecond)
            throws IOException {
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file)) {
            for (long at = from; at < to; ) {
                slice.clear().limit((int) Math.min(slice.capacity(), to - at));
                int count = channel.read(slice, at);
                Channels.newChannel(out).write(slice.flip());
                at += count;
                park(start + (at - from) * 1_000_000_000L / bytesPerSecond);
            }
        }
    }

    private static void park(long until) {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
