package dev.penstock.bench.demo;

import dev.penstock.decode.ffmpeg.ClipEncoder;
import dev.penstock.decode.ffmpeg.EncoderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes a dataset of two cameras with truth on disk: {@code episodes.jsonl}, {@code clips/N_CAMERA.mp4},
 * {@code truth/N.json}.
 *
 * <p>Every file appears whole, the index last. A run that was killed is taken up where it stood; a folder that is
 * complete is left as it is; a folder that holds anything else is refused.
 */
public final class DemoDataset {

    private static final String INDEX = "episodes.jsonl";
    private static final String SETTINGS = "demo.txt";
    private static final int QUALITY = 60;
    private static final Duration LEFT_OVER = Duration.ofMinutes(10);

    private final Path folder;
    private final DemoSettings settings;
    private final Progress progress;
    private final AtomicInteger framesDone = new AtomicInteger();

    private DemoDataset(Path folder, DemoSettings settings, Progress progress) {
        this.folder = folder;
        this.settings = settings;
        this.progress = progress;
    }

    /** Told about made frames, from several threads. */
    @FunctionalInterface
    public interface Progress {
        /** So many frames of all are there. */
        void frames(int done, int total);
    }

    /**
     * Makes the dataset where it is not there yet.
     *
     * @param folder made if absent
     * @return the dataset's index
     * @throws IOException when the folder can't be written or holds something else
     * @throws InterruptedException when interrupted; what is done stays done
     */
    public static Path make(Path folder, DemoSettings settings, Progress progress)
            throws IOException, InterruptedException {
        return new DemoDataset(folder, settings, progress).make();
    }

    private Path make() throws IOException, InterruptedException {
        claim();
        Path index = folder.resolve(INDEX);
        if (Files.exists(index)) {
            return index;
        }
        Files.createDirectories(folder.resolve("clips"));
        Files.createDirectories(folder.resolve("truth"));
        clearAway(folder.resolve("clips"));
        makeEpisodes();
        StringBuilder lines = new StringBuilder();
        for (int episode = 0; episode < settings.episodes(); episode++) {
            lines.append(indexLine(episode)).append('\n');
        }
        write(index, lines);
        return index;
    }

    /** The folder is ours when it says these settings; an empty one becomes ours. */
    private void claim() throws IOException {
        Files.createDirectories(folder);
        Path said = folder.resolve(SETTINGS);
        if (Files.exists(said)) {
            if (!Files.readString(said).strip().equals(settings.toString())) {
                throw new IOException("folder " + folder + " holds a demo dataset of other settings ("
                        + Files.readString(said).strip() + "); choose another folder or delete it");
            }
            return;
        }
        try (var files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new IOException("folder " + folder + " is not empty and holds no demo dataset; choose another");
            }
        }
        write(said, settings + "\n");
    }

    /** What a killed run left half done; a run of just now may still be at it. */
    private static void clearAway(Path clips) throws IOException {
        Instant longAgo = Instant.now().minus(LEFT_OVER);
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(clips, ".*.part")) {
            for (Path part : parts) {
                if (Files.getLastModifiedTime(part).toInstant().isBefore(longAgo)) {
                    Files.deleteIfExists(part);
                }
            }
        }
    }

    private void makeEpisodes() throws IOException, InterruptedException {
        int threads =
                Math.max(1, Math.min(settings.episodes(), Runtime.getRuntime().availableProcessors()));
        ExecutorService executor = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "penstock-demo");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> made = new ArrayList<>();
            for (int episode = 0; episode < settings.episodes(); episode++) {
                int number = episode;
                made.add(executor.submit(() -> {
                    makeEpisode(number);
                    return null;
                }));
            }
            for (Future<?> episode : made) {
                await(episode);
            }
        } finally {
            executor.shutdownNow();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static void await(Future<?> episode) throws IOException, InterruptedException {
        try {
            episode.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw new IOException(io.getMessage(), io);
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void makeEpisode(int episode) throws IOException {
        Scene scene = new Scene(settings, episode);
        for (int camera = 0; camera < Scene.CAMERAS.size(); camera++) {
            Path clip = folder.resolve(clip(episode, camera));
            if (Files.exists(clip)) {
                report(settings.frames());
            } else {
                encode(scene, camera, clip);
            }
        }
        write(folder.resolve(truth(episode)), DemoTruth.json(scene, settings.frames()));
    }

    private void encode(Scene scene, int camera, Path clip) throws IOException {
        int bytes = settings.size().width() * settings.size().height() * 3 / 2;
        byte[] yuv = new byte[bytes];
        ByteBuffer picture = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        EncoderSettings encoding = EncoderSettings.of(settings.codec(), settings.size(), settings.framesPerSecond())
                .keyFrameDistance(settings.keyFrameDistance())
                .quality(QUALITY);
        try (ClipEncoder encoder = new ClipEncoder(clip, encoding)) {
            for (int frame = 0; frame < settings.frames(); frame++) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new UncheckedIOException(new IOException("making " + clip + " was interrupted"));
                }
                scene.draw(camera, frame, yuv);
                picture.put(0, yuv);
                encoder.writeYuv420(frame, picture, 0);
                report(1);
            }
            encoder.finish();
        }
    }

    private void report(int frames) {
        progress.frames(framesDone.addAndGet(frames), settings.episodes() * Scene.CAMERAS.size() * settings.frames());
    }

    private String indexLine(int episode) {
        StringBuilder cameras = new StringBuilder();
        for (int camera = 0; camera < Scene.CAMERAS.size(); camera++) {
            cameras.append(camera == 0 ? "" : ", ")
                    .append('"')
                    .append(Scene.CAMERAS.get(camera))
                    .append("\": \"")
                    .append(clip(episode, camera))
                    .append('"');
        }
        boolean held = settings.episodes() > 2 && episode == settings.episodes() - 1;
        return String.format(
                Locale.ROOT,
                "{\"id\": \"demo-%03d\", \"cameras\": {%s}, \"truth\": \"%s\", \"split\": \"%s\","
                        + " \"metadata\": {\"weather\": \"%s\"}}",
                episode,
                cameras,
                truth(episode),
                held ? "test" : "train",
                new Scene(settings, episode).weather());
    }

    private static String clip(int episode, int camera) {
        return "clips/" + episode + "_" + Scene.CAMERAS.get(camera) + ".mp4";
    }

    private static String truth(int episode) {
        return "truth/" + episode + ".json";
    }

    private static void write(Path file, CharSequence text) throws IOException {
        Path aside = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            Files.writeString(aside, text, StandardCharsets.UTF_8);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
