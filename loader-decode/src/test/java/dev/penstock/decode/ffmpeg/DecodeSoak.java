package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
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

/**
 * Decodes and scales seeded windows of twenty clips of many codecs with room for three open decoders, so that nearly
 * every window evicts one. Arguments: the folder of shared data, the number of windows. Ends with 0 when resident memory
 * at the end, and at every tenth of the way after the first two, is within 5 % of what it was after these (25 % in a run
 * so short that not every clip has been met by then); else with 1.
 */
public final class DecodeSoak {
    private static final int CLIPS = 20;
    private static final int FRAMES = 4;
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
        PictureTransform transform = PictureTransform.of(Size.of(112, 112), Layout.TCHW);
        ByteBuffer slot = ByteBuffer.allocateDirect(transform.bytes()).order(ByteOrder.nativeOrder());
        SplittableRandom random = new SplittableRandom(5);
        WindowPlan plan = new WindowPlan();
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 << 20);
        long[] resident = new long[PARTS + 1];
        long contexts;
        try (FrameDecoder decoder = new FrameDecoder(PATIENT, 3);
                Scaler scaler = new Scaler(3)) {
            for (int window = 1; window <= windows; window++) {
                int clip = random.nextInt(blobs.size());
                ClipIndex index = indexes.get(clip);
                int stride = 1 + random.nextInt(2);
                int first = random.nextInt(Math.max(1, index.frameCount() - FRAMES * stride));
                int count = Math.min(FRAMES, (index.frameCount() - first + stride - 1) / stride);
                int[] wanted = new int[count];
                Arrays.setAll(wanted, i -> first + i * stride);
                plan.plan(index, wanted, 0, count);
                DisplayShape shape = DisplayShape.of(index);
                decoder.decode(
                        index,
                        plan,
                        plan.read(blobs.get(clip), bytes),
                        blobs.get(clip),
                        (ordinal, frame) -> scaler.scale(frame, shape, transform, slot, 0));
                if (window % (windows / PARTS) == 0) {
                    resident[window / (windows / PARTS)] = residentBytes();
                }
            }
            contexts = decoder.contextsOpened();
        }
        System.err.println(windows + " windows of " + blobs.size() + " clips, " + contexts
                + " decoders opened; resident MiB after each tenth "
                + Arrays.stream(resident).skip(1).map(b -> b >> 20).boxed().toList());
        double mostGrowth = windows >= LONG_RUN ? 1.05 : 1.25;
        for (int part = 3; part <= PARTS; part++) {
            if (resident[part] > resident[2] * mostGrowth) {
                System.exit(1);
            }
        }
    }

    private static long residentBytes() throws IOException {
        System.gc(); // what is unreachable is no leak
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("/proc/self/status names no VmRSS");
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
