package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;

/**
 * Indexes and decodes seeded mutations of the small clips. Arguments: the folder of shared data, the first seed, the
 * number of seeds. Ends with 0 when every mutation was either decoded or refused with an {@link IOException}, none took
 * more of the processor than {@link #LONGEST}, and resident memory stayed under {@link #MOST_BYTES}; with 1 and the seed otherwise.
 * A crash of the JVM, or a wait without end, is the parent's to notice.
 */
public final class ClipFuzz {
    static final Duration LONGEST = Duration.ofSeconds(40);
    static final long MOST_BYTES = 1L << 30;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final DecodeLimits LIMITS = DecodeLimits.DEFAULT
            .withMaxPixels(2048 * 2048)
            .withMaxPacketBytes(1 << 20)
            .withMaxPackets(20_000)
            .withMaxWindowBytes(64 << 20)
            .withMaxDecodeTime(Duration.ofSeconds(5));

    private ClipFuzz() {}

    public static void main(String[] args) throws IOException {
        List<byte[]> clips = smallClips(Path.of(args[0]));
        long first = Long.parseLong(args[1]);
        long count = Long.parseLong(args[2]);
        TreeMap<String, Integer> outcomes = new TreeMap<>();
        long peak = 0;
        for (long seed = first; seed < first + count; seed++) {
            Files.writeString(Path.of(args[3]), Long.toString(seed));
            long start = THREADS.getCurrentThreadCpuTime();
            String outcome = outcome(clips, seed);
            long nanos = THREADS.getCurrentThreadCpuTime() - start;
            peak = Math.max(peak, Pointer.physicalBytes());
            outcomes.merge(outcome, 1, Integer::sum);
            if (outcome.startsWith("FAILED") || nanos > LONGEST.toNanos() || peak > MOST_BYTES) {
                System.err.println("seed " + seed + ": " + outcome + " after " + nanos / 1_000_000 + " ms of CPU, "
                        + (peak >> 20) + " MiB resident");
                System.exit(1);
            }
        }
        System.err.println(count + " mutations: " + outcomes + ", at most " + (peak >> 20) + " MiB resident");
    }

    private static List<byte[]> smallClips(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("odd"))) {
            List<byte[]> clips = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                if (Files.size(file) < 130_000) {
                    clips.add(Files.readAllBytes(file));
                }
            }
            return clips;
        }
    }

    private static String outcome(List<byte[]> clips, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = mutate(clips.get(random.nextInt(clips.size())), random);
        MemoryBlob blob = new MemoryBlob("seed-" + seed, bytes);
        try {
            ClipIndex index = new ClipIndexer(LIMITS, null).index(blob);
            return decode(index, blob, random);
        } catch (IOException e) {
            return "refused";
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            return "FAILED " + e;
        }
    }

    private static String decode(ClipIndex index, MemoryBlob blob, SplittableRandom random) {
        int delivered = 0;
        boolean missing = false;
        try (FrameDecoder decoder = new FrameDecoder(LIMITS, 2)) {
            for (int i = 0; i < 3; i++) {
                int[] wanted = random.ints(4, 0, index.frameCount()).sorted().toArray();
                int[] got = new int[1];
                try {
                    WindowPlan plan = new WindowPlan().plan(index, wanted, 0, wanted.length);
                    if (plan.byteCount() <= LIMITS.maxWindowBytes()) {
                        ByteBuffer window = Frames.read(blob, plan);
                        decoder.decode(
                                index, plan, window, blob, (ordinal, frame) -> got[0] += Math.min(1, frame.width()));
                    }
                } catch (IOException e) {
                    missing = true;
                }
                delivered += got[0];
            }
        }
        return missing ? delivered > 0 ? "some frames" : "no frames" : "all frames";
    }

    private static byte[] mutate(byte[] clip, SplittableRandom random) {
        byte[] bytes = clip.clone();
        switch (random.nextInt(5)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> { // a size or count in a header
                int at = random.nextInt(bytes.length - 4);
                int from = random.nextBoolean() ? Math.min(at, 4_000) : at;
                ByteBuffer.wrap(bytes).putInt(from, random.nextBoolean() ? random.nextInt() : random.nextInt(1 << 20));
            }
            case 2 -> { // a block moved over another
                int n = 1 + random.nextInt(Math.min(2_000, bytes.length / 2));
                System.arraycopy(bytes, random.nextInt(bytes.length - n), bytes, random.nextInt(bytes.length - n), n);
            }
            default -> {
                int tail = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 6_000);
                boolean end = random.nextBoolean();
                for (int i = 1 + random.nextInt(30); i > 0; i--) {
                    int at = random.nextInt(tail);
                    bytes[end ? bytes.length - 1 - at : at] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return bytes;
    }
}
