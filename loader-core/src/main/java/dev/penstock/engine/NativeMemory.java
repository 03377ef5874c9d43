package dev.penstock.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Off-heap memory with a known end: direct, native order, 64-byte-aligned, zeroed. Thread-safe.
 *
 * <p>On Java 22 and later through {@code java.lang.foreign} (a shared arena for each region; found reflectively, since
 * the library is built for 17); before that {@link ByteBuffer#allocateDirect} and the cleaner of {@code sun.misc.Unsafe},
 * which counts against {@code -XX:MaxDirectMemorySize}.
 */
final class NativeMemory {
    /** Alignment in bytes: a cache line, and the widest vector register. */
    static final int ALIGNMENT = 64;

    private static final AtomicLong LIVE = new AtomicLong();
    private static final Allocator ALLOCATOR = allocator();

    private NativeMemory() {}

    /** Bytes of all regions of this JVM not yet freed. */
    static long liveBytes() {
        return LIVE.get();
    }

    /** Whether {@code -XX:MaxDirectMemorySize} limits what {@link #allocate} can give. */
    static boolean countsAsDirectMemory() {
        return ALLOCATOR instanceof DirectAllocator;
    }

    /** {@code bytes} bytes of zeros; at least one. */
    static Region allocate(int bytes) {
        Region region = ALLOCATOR.allocate(Math.max(1, bytes));
        LIVE.addAndGet(region.bytes());
        return region;
    }

    /** One piece of memory. {@link #free} ends it: no view of it may be touched from then on. */
    static final class Region {
        private final ByteBuffer buffer;
        private final int bytes;
        private final Runnable free;
        private final AtomicBoolean freed = new AtomicBoolean();

        Region(ByteBuffer buffer, int bytes, Runnable free) {
            this.buffer = buffer;
            this.bytes = bytes;
            this.free = free;
        }

        ByteBuffer buffer() {
            return buffer;
        }

        int bytes() {
            return bytes;
        }

        /** Idempotent. */
        void free() {
            if (freed.compareAndSet(false, true)) {
                LIVE.addAndGet(-bytes);
                free.run();
            }
        }
    }

    private interface Allocator {
        Region allocate(int bytes);
    }

    private static Allocator allocator() {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            return Runtime.version().feature() >= 22 ? new ForeignAllocator(lookup) : new DirectAllocator(lookup);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this JVM offers no way to free off-heap memory; Java 17 or later with the"
                            + " module jdk.unsupported (before 22) is needed",
                    e);
        }
    }

    /** Java 17 to 21. */
    private static final class DirectAllocator implements Allocator {
        private final MethodHandle clean;

        DirectAllocator(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field field = unsafe.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            clean = lookup.findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(field.get(null));
        }

        @Override
        public Region allocate(int bytes) {
            int rounded = Math.addExact(bytes, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; // alignedSlice cuts the end too
            ByteBuffer whole = ByteBuffer.allocateDirect(Math.addExact(rounded, ALIGNMENT));
            ByteBuffer aligned = whole.alignedSlice(ALIGNMENT);
            aligned.limit(bytes);
            return new Region(aligned.slice().order(ByteOrder.nativeOrder()), bytes, () -> invoke(clean, whole));
        }
    }

    /** Java 22 and later: {@code Arena.ofShared().allocate(bytes, 64).asByteBuffer()}. */
    private static final class ForeignAllocator implements Allocator {
        private final MethodHandle ofShared;
        private final MethodHandle allocate;
        private final MethodHandle asByteBuffer;
        private final MethodHandle close;

        ForeignAllocator(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            ofShared = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
            allocate = lookup.findVirtual(arena, "allocate", MethodType.methodType(segment, long.class, long.class));
            asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
            close = lookup.findVirtual(arena, "close", MethodType.methodType(void.class));
        }

        @Override
        public Region allocate(int bytes) {
            try {
                Object arena = ofShared.invoke();
                Object segment = allocate.invoke(arena, (long) bytes, (long) ALIGNMENT);
                ByteBuffer buffer = (ByteBuffer) asByteBuffer.invoke(segment);
                return new Region(buffer.order(ByteOrder.nativeOrder()), bytes, () -> invoke(close, arena));
            } catch (Error | RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void invoke(MethodHandle handle, Object argument) {
        try {
            handle.invoke(argument);
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
