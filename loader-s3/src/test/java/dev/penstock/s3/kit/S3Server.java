package dev.penstock.s3.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * S3Proxy over a folder, in a JVM of its own with a class path of its own, on a free port of the loopback interface.
 * Ends with {@link #close}, and with this JVM.
 */
public final class S3Server implements AutoCloseable {
    /** The access key. */
    public static final String ACCESS_KEY = "local-access";

    /** The secret key. */
    public static final String SECRET_KEY = "local-secret";

    private static final String LOG_LEVELS = """
            <configuration><appender name="E" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%level %logger{0} %msg%n</pattern></encoder></appender>
            <root level="ERROR"><appender-ref ref="E"/></root></configuration>
            """;

    private final Process process;
    private final URI endpoint;
    private final Path buckets;
    private final Thread hook;

    private S3Server(Process process, URI endpoint, Path buckets) {
        this.process = process;
        this.endpoint = endpoint;
        this.buckets = buckets;
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the build has resolved the server's class path; say so in an assumption where it may not have. */
    public static boolean available() {
        return classPathFile().isPresent();
    }

    /** A server over plain HTTP that keeps its buckets in {@code folder}. */
    public static S3Server start(Path folder) throws IOException {
        return start(folder, null, "");
    }

    /**
     * A server over {@code folder}.
     *
     * @param keystore for HTTPS, with its password; null for plain HTTP
     */
    public static S3Server start(Path folder, @Nullable Path keystore, String password) throws IOException {
        IOException last = new IOException("never tried");
        for (int i = 0; i < 3; i++) {
            try {
                return tryStart(folder, keystore, password);
            } catch (IOException e) {
                last = e; // somebody else may have taken the free port
            }
        }
        throw last;
    }

    private static S3Server tryStart(Path folder, @Nullable Path keystore, String password) throws IOException {
        int port = freePort();
        String scheme = keystore == null ? "http" : "https";
        URI endpoint = URI.create(scheme + "://127.0.0.1:" + port);
        Path buckets = Files.createDirectories(folder.resolve("buckets"));
        Path logback = Files.writeString(folder.resolve("logback.xml"), LOG_LEVELS);
        List<String> lines = new ArrayList<>(List.of(
                "s3proxy." + (keystore == null ? "endpoint=" : "secure-endpoint=") + endpoint,
                "s3proxy.authorization=aws-v2-or-v4",
                "s3proxy.identity=" + ACCESS_KEY,
                "s3proxy.credential=" + SECRET_KEY,
                "jclouds.provider=filesystem-nio2",
                "jclouds.filesystem.basedir=" + buckets));
        if (keystore != null) {
            lines.add("s3proxy.keystore-path=" + keystore);
            lines.add("s3proxy.keystore-password=" + password);
        }
        Path properties = Files.write(folder.resolve("s3proxy.properties"), lines);
        Path log = folder.resolve("s3proxy.log");
        String classPath = Files.readString(
                classPathFile()
                        .orElseThrow(
                                () -> new IOException(
                                        "the test server's class path was not resolved; build module loader-s3-server first (mvn -am)")));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx384m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=" + logback,
                        "-cp",
                        classPath.trim(),
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        properties.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        awaitPort(process, port, log);
        return new S3Server(process, endpoint, buckets);
    }

    private static void awaitPort(Process process, int port, Path log) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() < deadline && process.isAlive()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException e) {
                pause(process);
            }
        }
        process.destroyForcibly();
        throw new IOException("S3Proxy did not start; its log says: " + Files.readString(log));
    }

    private static void pause(Process process) throws IOException {
        try {
            if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server started", e);
        }
    }

    private static Optional<Path> classPathFile() {
        String file = System.getProperty("penstock.s3proxy.classpath", "");
        return Optional.of(Path.of(file)).filter(Files::isRegularFile);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Where it listens. */
    public URI endpoint() {
        return endpoint;
    }

    /** Makes a bucket; nothing happens when it is there. */
    public void bucket(String name) throws IOException {
        Files.createDirectories(bucketFolder(name));
    }

    /** Where the server keeps a bucket: each object is a file of its name. */
    public Path bucketFolder(String name) {
        return buckets.resolve(name);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the hook runs
        }
    }
}
