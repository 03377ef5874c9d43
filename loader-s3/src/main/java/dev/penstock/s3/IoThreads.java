package dev.penstock.s3;

import io.netty.channel.Channel;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/**
 * The threads of one store's HTTP client and the connections that they serve. Thread-safe.
 *
 * <p>A connection pool of the SDK tells its own event loop of each connection that is released or closes, wherever that
 * one runs. So the loops may end only when every connection is closed and nothing is queued on any of them; otherwise
 * Netty logs "Event loop shut down?" for each that comes late. The SDK's own group waits for two seconds of quiet at each
 * closing instead.
 */
final class IoThreads {
    private static final Logger LOG = LoggerFactory.getLogger(IoThreads.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long CLOSE_SECONDS = 2;

    private final EventLoopGroup loops;
    /** Open or opening; guarded by being concurrent. */
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

    private IoThreads(EventLoopGroup loops) {
        this.loops = loops;
    }

    /** As many threads as cores, two to eight. */
    static IoThreads start() {
        int count = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
        return new IoThreads(new NioEventLoopGroup(count, IoThreads::thread));
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "penstock-s3-io-" + NUMBERS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** For the SDK's client, which does not close it. */
    SdkEventLoopGroup group() {
        return SdkEventLoopGroup.create(loops, this::channel);
    }

    private Channel channel() {
        Channel channel = new Connection();
        channels.add(channel);
        var unused = channel.closeFuture().addListener(closed -> channels.remove(channel));
        return channel;
    }

    /**
     * A connection that stays silent about our own cancelling: a request that is given up between the connection's
     * acquisition and the placing of the SDK's handlers has nobody there to hear of it, and Netty would warn.
     */
    private static final class Connection extends NioSocketChannel {
        @Override
        protected DefaultChannelPipeline newChannelPipeline() {
            return new DefaultChannelPipeline(this) {
                @Override
                protected void onUnhandledInboundException(Throwable cause) {
                    if (cause instanceof IOException) {
                        LOG.debug("a connection that no request uses any more failed", cause);
                    } else {
                        super.onUnhandledInboundException(cause);
                    }
                }
            };
        }
    }

    /** Ends them; the client was closed before. Takes milliseconds, and at most a few seconds. */
    void close() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        int quiet = 0;
        while (quiet < 2 && System.nanoTime() < deadline) {
            boolean idle = drain();
            for (Channel channel : channels) {
                idle = false;
                if (channel.isRegistered()) { // else its registration is queued: the next round finds it
                    channel.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
                }
            }
            quiet = idle ? quiet + 1 : 0;
        }
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    /** Lets every loop do what is queued on it; whether nothing had come meanwhile. */
    private boolean drain() {
        boolean idle = true;
        for (EventExecutor loop : loops) {
            loop.submit(() -> {}).awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
        for (EventExecutor loop : loops) {
            idle &= !(loop instanceof SingleThreadEventExecutor one) || one.pendingTasks() == 0;
        }
        return idle;
    }
}
