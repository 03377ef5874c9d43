package dev.penstock.s3.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An HTTP/1.1 proxy on the loopback interface between a client and one server, which delays, slows and breaks exchanges
 * as a {@link FaultPlan} says. Each client connection has a thread and a server connection of its own. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final URI upstream;
    private final ServerSocket listener;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<FaultPlan.Exchange> seen = new ConcurrentLinkedQueue<>();
    private final Map<Fault.Kind, AtomicInteger> injected = new EnumMap<>(Fault.Kind.class);
    /** Set by the test, read by every exchange at its start. */
    private volatile FaultPlan plan = FaultPlan.none();
    /** As above: before every head. */
    private volatile Duration latency = Duration.ZERO;
    /** As above: per connection; 0 for no limit. */
    private volatile long bytesPerSecond;
    /** As above: connections are closed as soon as they come. */
    private volatile boolean down;

    private FaultProxy(URI upstream, ServerSocket listener) {
        this.upstream = upstream;
        this.listener = listener;
        for (Fault.Kind kind : Fault.Kind.values()) {
            injected.put(kind, new AtomicInteger());
        }
    }

    /** A proxy to {@code upstream} on a free port, without faults yet. */
    public static FaultProxy start(URI upstream) throws IOException {
        FaultProxy proxy = new FaultProxy(upstream, new ServerSocket(0, 256, InetAddress.getLoopbackAddress()));
        proxy.thread(proxy::accept, "fault-proxy-listener");
        return proxy;
    }

    /** Faults from now on. */
    public FaultProxy plan(FaultPlan next) {
        plan = next;
        return this;
    }

    /** The link from now on: time before every answer, and bytes per second of each connection (0 for no limit). */
    public FaultProxy link(Duration before, long rate) {
        latency = before;
        bytesPerSecond = rate;
        return this;
    }

    /** An outage: while it lasts, connections are closed as they come and those open break. */
    public FaultProxy down(boolean value) {
        down = value;
        if (value) {
            open.forEach(FaultProxy::closeQuietly);
        }
        return this;
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Requests seen so far, in order. */
    public List<FaultPlan.Exchange> seen() {
        return new ArrayList<>(seen);
    }

    /** How often a fault was injected. */
    public int injected(Fault.Kind kind) {
        AtomicInteger count = injected.get(kind);
        return count == null ? 0 : count.get();
    }

    /** Bytes of answers' bodies sent to clients. */
    public long bodyBytes() {
        return bodyBytes.get();
    }

    /** Client connections open now. */
    public int connections() {
        return open.size();
    }

    /** Forgets what was seen. */
    public void forget() {
        seen.clear();
        bodyBytes.set(0);
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(FaultProxy::closeQuietly);
    }

    Duration latency() {
        return latency;
    }

    long bytesPerSecond() {
        return bytesPerSecond;
    }

    void sent(long bytes) {
        bodyBytes.addAndGet(bytes);
    }

    /** The fault of the next exchange. */
    Fault next(HttpHead request) {
        FaultPlan.Exchange exchange = new FaultPlan.Exchange(
                numbers.getAndIncrement(), request.word(0), request.word(1), request.header("Range"), request.text());
        seen.add(exchange);
        Fault fault = plan.choose(exchange);
        injected.computeIfAbsent(fault.kind(), kind -> new AtomicInteger()).incrementAndGet();
        return fault;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (down) {
                    closeQuietly(client);
                    continue;
                }
                open.add(client);
                thread(() -> serve(client), "fault-proxy-connection");
            } catch (IOException e) {
                down |= listener.isClosed(); // the end; otherwise a client that went at once
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(upstream.getHost(), upstream.getPort())) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            new FaultConnection(this, client, server).run();
        } catch (IOException e) {
            return; // one side went away: the other is closed too
        } finally {
            open.remove(client);
        }
    }

    private void thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            return; // it is gone, which was wanted
        }
    }
}
