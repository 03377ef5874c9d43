package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Decodes and scales seeded windows of twenty clips of many codecs with room for three open decoders, so that nearly
 * every window evicts one. Arguments: the folder of shared data, the number of windows. Ends with 0 when resident memory
 * in the last three tenths of the way is on average within 5 % of what it was in the second to fourth (25 % in a run so
 * short that not every clip has been met by then); else with 1.
 *
 * <p>What the C library keeps of freed pictures is nobody's leak, and differs by some 8 % from look to look. So it is told
 * to give that back before each look, and the test gives the process one arena ({@code MALLOC_ARENA_MAX=1}): freed memory
 * between the live blocks of several arenas cannot be given back. Readings before and after are both printed.
 */
public final class DecodeSoak {
    private static final int CLIPS = 20;
    private static final int FRAMES = 4;
    private static final int CONTEXTS = 3;
    private static final int PARTS = 10;
    /** A machine that stands still for a while is no fault here. */
    private static final DecodeLimits PATIENT = DecodeLimits.DEFAULT.withMaxDecodeTime(Duration.ofHours(1));

    private static final int LONG_RUN = 20_000;

    private DecodeSoak() {}

    public static void main(String[] args) throws IOException {
        List<MemoryBlob> blobs = blobs(Path.of(args[0]));
        int windows = Integer.parseInt(args[1]);
        List<ClipIndex> indexes = new ArrayList<>();
        for (MemoryBlob blob : blobs) {
            indexes.add(new ClipIndexer(DecodeLimits.DEFAULT, null).index(blob));
        }
        SplittableRandom random = new SplittableRandom(5);
        long[] resident = new long[PARTS + 1];
        long[] untrimmed = new long[PARTS + 1];
        long contexts;
        try (Soaked soaked = new Soaked(blobs, indexes)) {
            for (int window = 1; window <= windows; window++) {
                int clip = random.nextInt(blobs.size());
                int stride = 1 + random.nextInt(2);
                int frames = indexes.get(clip).frameCount();
                soaked.decode(clip, random.nextInt(Math.max(1, frames - FRAMES * stride)), stride);
                if (window % (windows / PARTS) == 0) {
                    for (int same = 0; same < CONTEXTS; same++) {
                        soaked.decode(same, 0, 1); // what is open when memory is looked at is alike each time
                    }
                    int part = window / (windows / PARTS);
                    System.gc(); // what is unreachable is no leak
                    untrimmed[part] = residentBytes();
                    trim();
                    resident[part] = residentBytes();
                }
            }
            contexts = soaked.decoder.contextsOpened();
        }
        System.err.println(windows + " windows of " + blobs.size() + " clips, " + contexts
                + " decoders opened; resident MiB after each tenth " + mebibytes(resident)
                + ", with what the C library kept " + mebibytes(untrimmed));
        double mostGrowth = windows >= LONG_RUN ? 1.05 : 1.25;
        if (mean(resident, PARTS - 2, PARTS) > mostGrowth * mean(resident, 2, 4)) {
            System.exit(1);
        }
    }

    private static List<Long> mebibytes(long[] parts) {
        return Arrays.stream(parts).skip(1).map(b -> b >> 20).boxed().toList();
    }

    /** Of the parts {@code from} to {@code to}. */
    private static double mean(long[] resident, int from, int to) {
        return Arrays.stream(resident, from, to + 1).average().orElseThrow();
    }

    /** What decodes the windows: one decoder and one scaler with little room. */
    private static final class Soaked implements AutoCloseable {
        private final List<MemoryBlob> blobs;
        private final List<ClipIndex> indexes;
        private final FrameDecoder decoder = new FrameDecoder(PATIENT, CONTEXTS);
        private final Scaler scaler = new Scaler(CONTEXTS);
        private final PictureTransform transform = PictureTransform.of(Size.of(112, 112), Layout.TCHW);
        private final ByteBuffer slot =
                ByteBuffer.allocateDirect(transform.bytes()).order(ByteOrder.nativeOrder());
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(4 << 20);
        private final WindowPlan plan = new WindowPlan();

        Soaked(List<MemoryBlob> blobs, List<ClipIndex> indexes) {
            this.blobs = blobs;
            this.indexes = indexes;
        }

        void decode(int clip, int first, int stride) throws IOException {
            ClipIndex index = indexes.get(clip);
            int count = Math.min(FRAMES, (index.frameCount() - first + stride - 1) / stride);
            int[] wanted = new int[count];
            Arrays.setAll(wanted, i -> first + i * stride);
            plan.plan(index, wanted, 0, count);
            MemoryBlob blob = blobs.get(clip);
            DisplayShape shape = DisplayShape.of(index);
            decoder.decode(
                    index,
                    plan,
                    plan.read(blob, bytes),
                    blob,
                    (ordinal, frame) -> scaler.scale(frame, shape, transform, slot, 0));
        }

        @Override
        public void close() {
            decoder.close();
            scaler.close();
        }
    }

    private static long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("/proc/self/status names no VmRSS");
    }

    /** Makes the C library give back what it holds of freed memory, as {@code jcmd PID System.trim_native_heap} does. */
    private static void trim() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "systemTrimNativeHeap",
                            new Object[0],
                            new String[0]);
        } catch (JMException e) {
            throw new IllegalStateException("this JVM cannot trim the native heap; use 17.0.9 or newer", e);
        }
    }

    private static List<MemoryBlob> blobs(Path data) throws IOException {
        List<MemoryBlob> blobs = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("odd", "bench")) {
            try (Stream<Path> list = Files.list(data.resolve(folder))) {
                list.filter(f -> f.toString().matches(".*\\.(mp4|mkv|webm|mov)"))
                        .filter(f -> !f.toString().matches(".*(audio_only|long_10883|hi_|1080p|no_video).*"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        for (Path file : files) {
            if (blobs.size() < CLIPS && Files.size(file) < 1 << 20) {
                blobs.add(new MemoryBlob(file.getFileName().toString(), Files.readAllBytes(file)));
            }
        }
        return blobs;
    }
}
