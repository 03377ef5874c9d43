package dev.penstock.s3.kit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** One client's connection through {@link FaultProxy}: exchange after exchange, until one side or a fault ends it. */
final class FaultConnection {
    private static final int SLICE = 64 << 10;

    private final FaultProxy proxy;
    private final Socket client;
    private final InputStream fromClient;
    private final OutputStream toClient;
    private final InputStream fromServer;
    private final OutputStream toServer;
    private final byte[] slice = new byte[SLICE];

    FaultConnection(FaultProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.fromClient = new BufferedInputStream(client.getInputStream(), SLICE);
        this.toClient = new BufferedOutputStream(client.getOutputStream(), SLICE);
        this.fromServer = new BufferedInputStream(server.getInputStream(), SLICE);
        this.toServer = new BufferedOutputStream(server.getOutputStream(), SLICE);
    }

    void run() throws IOException {
        boolean on = true;
        while (on) {
            HttpHead request = HttpHead.read(fromClient);
            on = request != null && exchange(request, proxy.next(request));
        }
    }

    /** One exchange; false when the connection is over. */
    private boolean exchange(HttpHead request, Fault fault) throws IOException {
        if (fault.kind() == Fault.Kind.REFUSE) {
            return false;
        }
        if (!request.header("Expect").isEmpty()) {
            request.remove("Expect");
            toClient.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            toClient.flush();
        }
        if (fault.kind() == Fault.Kind.STATUS) {
            copy(fromClient, OutputStream.nullOutputStream(), request.bodyLength(), 0);
            park(proxy.latency());
            answer((int) fault.amount(), request.word(0).equals("HEAD"));
            return true;
        }
        toServer.write(request.bytes());
        copy(fromClient, toServer, request.bodyLength(), 0);
        toServer.flush();
        HttpHead response = HttpHead.read(fromServer);
        if (response == null) {
            return false;
        }
        park(proxy.latency());
        if (fault.kind() == Fault.Kind.DELAY) {
            park(Duration.ofMillis(fault.amount()));
        }
        boolean body = !request.word(0).equals("HEAD") && !response.word(1).matches("204|304");
        return pass(response, body, fault);
    }

    private boolean pass(HttpHead response, boolean hasBody, Fault fault) throws IOException {
        long length = hasBody ? response.bodyLength() : 0;
        if (length < 0) {
            toClient.write(response.bytes());
            passChunks();
            toClient.flush();
            return true;
        }
        long sent = length;
        if (fault.kind() == Fault.Kind.SHORT && length > fault.amount()) {
            sent = length - fault.amount();
            response.set("Content-Length", Long.toString(sent));
        }
        toClient.write(response.bytes());
        boolean on = passBody(sent, fault);
        copy(fromServer, OutputStream.nullOutputStream(), on ? length - sent : 0, 0);
        toClient.flush();
        return on;
    }

    private boolean passBody(long length, Fault fault) throws IOException {
        long rate = fault.kind() == Fault.Kind.SLOW ? fault.amount() : proxy.bytesPerSecond();
        switch (fault.kind()) {
            case CUT, RESET, STALL -> {
                copy(fromServer, toClient, Math.min(length, fault.at()), rate);
                toClient.flush();
                if (fault.kind() == Fault.Kind.RESET) {
                    client.setSoLinger(true, 0);
                }
                // A stalled client ends it: by giving up, which shows as the end of its stream.
                return fault.kind() == Fault.Kind.STALL && fromClient.read() >= 0;
            }
            case FLIP -> {
                long at = length == 0 ? 0 : Math.min(fault.at(), length - 1);
                copy(fromServer, toClient, at, rate);
                if (length > 0) {
                    toClient.write(fromServer.read() ^ 1);
                    proxy.sent(1);
                }
                copy(fromServer, toClient, Math.max(0, length - at - 1), rate);
            }
            default -> copy(fromServer, toClient, length, rate);
        }
        return true;
    }

    /** Copies a body at a rate; 0 for as fast as it goes. */
    private void copy(InputStream in, OutputStream out, long length, long rate) throws IOException {
        long start = System.nanoTime();
        long done = 0;
        int most = rate > 0 ? (int) Math.max(1, Math.min(SLICE, rate / 20)) : SLICE;
        while (done < length) {
            int count = in.read(slice, 0, (int) Math.min(most, length - done));
            if (count < 0) {
                throw new EOFException("a body ended early");
            }
            out.write(slice, 0, count);
            done += count;
            if (out == toClient) {
                proxy.sent(count);
            }
            if (rate > 0) {
                out.flush();
                park(Duration.ofNanos(start + done * 1_000_000_000L / rate - System.nanoTime()));
            }
        }
    }

    private void passChunks() throws IOException {
        while (true) {
            String line = line();
            toClient.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            int semicolon = line.indexOf(';');
            long size = Long.parseLong((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
            if (size == 0) {
                break;
            }
            copy(fromServer, toClient, size + 2, proxy.bytesPerSecond());
        }
        String trailer = line();
        while (!trailer.isEmpty()) {
            toClient.write((trailer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            trailer = line();
        }
        toClient.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int b = fromServer.read(); b != '\n'; b = fromServer.read()) {
            if (b < 0) {
                throw new EOFException("a chunk ended early");
            }
            text.append((char) b);
        }
        return text.toString().stripTrailing();
    }

    private void answer(int status, boolean headOnly) throws IOException {
        String code = status == 503 ? "SlowDown" : "InternalError";
        String body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + code
                + "</Code><Message>injected</Message><RequestId>0</RequestId></Error>";
        toClient.write(("HTTP/1.1 " + status + " Injected\r\nContent-Type: application/xml\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + (headOnly ? "" : body))
                .getBytes(StandardCharsets.ISO_8859_1));
        toClient.flush();
    }

    private static void park(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
