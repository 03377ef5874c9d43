package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_SIZE;
import static org.bytedeco.ffmpeg.global.avformat.avio_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avio_context_free;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EXTERNAL;
import static org.bytedeco.ffmpeg.global.avutil.av_free;
import static org.bytedeco.ffmpeg.global.avutil.av_malloc;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.Read_packet_Pointer_BytePointer_int;
import org.bytedeco.ffmpeg.avformat.Seek_Pointer_long_int;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * FFmpeg's input over a {@link ByteSource}. All instances share one read and one seek callback: JavaCPP hands out ten
 * native entry points for a callback class, and the eleventh live instance would become a null pointer, which FFmpeg
 * takes for "serve what lies in the buffer". The {@code opaque} pointer's address is a number that finds the instance.
 *
 * <p>Owned by one thread. A failure of the source ends FFmpeg's reading and is kept in {@link #failure()}.
 */
final class Avio implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final ConcurrentHashMap<Long, Avio> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Reader READER = new Reader();
    private static final Seeker SEEKER = new Seeker();

    private final ByteSource source;
    private final long number = NUMBERS.incrementAndGet();
    private final AVIOContext context;
    private long position;
    private @Nullable IOException failure;

    Avio(ByteSource source) {
        this.source = source;
        BytePointer buffer = new BytePointer(av_malloc(BUFFER_BYTES));
        OPEN.put(number, this);
        context = avio_alloc_context(buffer, BUFFER_BYTES, 0, new Opaque(number), READER, null, SEEKER);
        if (context == null || context.isNull()) {
            OPEN.remove(number);
            av_free(buffer);
            throw new OutOfMemoryError("FFmpeg could not allocate an input context");
        }
    }

    AVIOContext context() {
        return context;
    }

    /** What the source threw, or null. */
    @Nullable
    IOException failure() {
        return failure;
    }

    private int read(BytePointer target, int size) {
        try {
            int n = source.read(position, target.capacity(size).asByteBuffer());
            if (n < 0) {
                return AVERROR_EOF;
            }
            position += n;
            return n;
        } catch (IOException e) {
            failure = e;
            return AVERROR_EXTERNAL;
        } catch (RuntimeException e) {
            failure = new IOException(e);
            return AVERROR_EXTERNAL;
        }
    }

    private long seek(long offset, int whence) {
        long target = switch (whence & 0xFFFF & ~AVSEEK_SIZE) {
            case 0 -> offset;
            case 1 -> position + offset;
            case 2 -> source.size() + offset;
            default -> -1;
        };
        if ((whence & AVSEEK_SIZE) != 0) {
            return source.size();
        }
        if (target < 0) {
            return AVERROR_EXTERNAL;
        }
        position = target;
        return target;
    }

    @Override
    public void close() {
        if (OPEN.remove(number) != null) {
            av_free(context.buffer());
            avio_context_free(context);
        }
    }

    /** A pointer whose address is a number; never read through. */
    private static final class Opaque extends Pointer {
        Opaque(long number) {
            address = number;
        }
    }

    private static final class Reader extends Read_packet_Pointer_BytePointer_int {
        @Override
        public int call(Pointer opaque, BytePointer buffer, int size) {
            Avio input = OPEN.get(opaque.address());
            return input == null ? AVERROR_EXTERNAL : input.read(buffer, size);
        }
    }

    private static final class Seeker extends Seek_Pointer_long_int {
        @Override
        public long call(Pointer opaque, long offset, int whence) {
            Avio input = OPEN.get(opaque.address());
            return input == null ? AVERROR_EXTERNAL : input.seek(offset, whence);
        }
    }
}
