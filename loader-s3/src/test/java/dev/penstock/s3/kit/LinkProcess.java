package dev.penstock.s3.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FaultProxy} with a fixed link and no faults in a JVM of its own, for measurements: its CPU time and its garbage
 * are not the client's. Ends with {@link #close}, and with this JVM.
 */
public final class LinkProcess implements AutoCloseable {
    private final Process process;
    private final URI endpoint;

    private LinkProcess(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /** A link to {@code upstream}: time before every answer, and bytes per second of each connection. */
    public static LinkProcess start(URI upstream, Duration latency, long bytesPerSecond) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LinkProcess.class.getName(),
                        upstream.toString(),
                        Long.toString(latency.toMillis()),
                        Long.toString(bytesPerSecond))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        BufferedReader said = process.inputReader();
        @Nullable String line = said.readLine();
        if (line == null) {
            throw new IOException("the link's process ended at once");
        }
        return new LinkProcess(process, URI.create(line));
    }

    /** Where it listens. */
    public URI endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** The other process: arguments upstream, milliseconds, bytes per second. Says where it listens and stays. */
    public static void main(String[] args) throws Exception {
        FaultProxy proxy = FaultProxy.start(URI.create(args[0]))
                .link(Duration.ofMillis(Long.parseLong(args[1])), Long.parseLong(args[2]));
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(proxy.endpoint());
        Thread.currentThread().join();
    }
}
