package dev.penstock.arrow.artifact;

import dev.penstock.arrow.ArrowTruthWriter;
import dev.penstock.arrow.artifact.EpisodePart.ClipPart;
import dev.penstock.arrow.artifact.EpisodePart.FilePart;
import dev.penstock.arrow.artifact.EpisodePart.TruthPart;
import dev.penstock.decode.Clip;
import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.DecodeSettings;
import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.ClipIndexFile;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.view.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one episode into an empty folder, and reads it back. Stateless but for its settings; any thread. */
final class EpisodeWriter {
    static final String TRUTH = "truth.arrow";

    private final Map<String, PictureRule> rules;
    private final ArtifactEncoding encoding;
    private final ByteGate memory;

    EpisodeWriter(Map<String, PictureRule> rules, ArtifactEncoding encoding, ByteGate memory) {
        this.rules = rules;
        this.encoding = encoding;
        this.memory = memory;
    }

    /** Off-heap bytes that the episode's most demanding clip takes. */
    long need(EpisodeSweep episode) {
        long most = 0;
        for (Map.Entry<String, ClipSweep> clip : episode.clips().entrySet()) {
            most = Math.max(most, need(clip.getValue(), rule(clip.getKey())));
        }
        return most;
    }

    private long need(ClipSweep clip, PictureRule rule) {
        return clip.memory(rule.transform(Layout.TCHW)) + ClipWriter.memory(rule, encoding);
    }

    private PictureRule rule(String camera) {
        return java.util.Objects.requireNonNull(rules.get(camera), camera);
    }

    /**
     * Writes the episode.
     *
     * @param name the folder's name in the artifact
     * @param most frames of each clip; more than it has for all
     * @return the part, which stands in the folder too
     */
    EpisodePart write(
            EpisodeSweep episode, String fingerprint, Path folder, String name, int most, ClipWriter.Progress progress)
            throws IOException, InterruptedException {
        Map<String, ClipPart> cameras = new LinkedHashMap<>();
        for (Map.Entry<String, ClipSweep> clip : episode.clips().entrySet()) {
            String camera = clip.getKey();
            long need = need(clip.getValue(), rule(camera));
            memory.acquire(need);
            try {
                cameras.put(camera, clip(clip.getValue(), camera, folder, most, progress));
            } finally {
                memory.release(need);
            }
        }
        EpisodeTruth truth = episode.truth();
        TruthPart truthPart = truth == null ? null : truth(truth, folder);
        Episode of = episode.episode();
        EpisodePart part = new EpisodePart(
                of.id(), name, fingerprint, of.split(), of.metadata(), cameras, truthPart, files(folder));
        Durable.write(folder.resolve(EpisodePart.FILE), part.toJson().getBytes(StandardCharsets.UTF_8));
        Durable.folder(folder);
        return part;
    }

    private ClipPart clip(ClipSweep source, String camera, Path folder, int most, ClipWriter.Progress progress)
            throws IOException {
        String base = Names.file(camera);
        Path file = folder.resolve(base + "." + encoding.codec().extension());
        ClipWriter writer = new ClipWriter(source, rule(camera), encoding, file);
        ClipIndex index = writer.write(Math.min(most, source.frames()), progress);
        Path indexFile = folder.resolve(base + "." + encoding.codec().extension() + ClipIndexFile.EXTENSION);
        Durable.write(indexFile, ClipIndexFile.encode(index));
        double psnr = readBack(writer, file, indexFile, source.origin(), camera, index.frameCount());
        return new ClipPart(
                String.valueOf(file.getFileName()),
                String.valueOf(indexFile.getFileName()),
                source.origin(),
                writer.size().width(),
                writer.size().height(),
                index.frameCount(),
                encoding.codec() == ArtifactCodec.RAW ? null : psnr);
    }

    /** Opens the clip as the loader will, and compares some of its frames. */
    private double readBack(
            ClipWriter writer, Path file, Path indexFile, @Nullable Double from, String camera, int frames)
            throws IOException {
        Clip clip = new Clip(file.toUri(), from, null, null, indexFile.toUri());
        Episode episode = Episode.of(String.valueOf(file.getFileName()), Map.of(camera, clip));
        Episodes alone = Episodes.of("part", List.of(episode))
                .with(DecodeSettings.DEFAULT.indexes(DecodeSettings.Indexes.IN_MEMORY));
        try (EpisodeSweep made = EpisodeSweep.open(alone, episode, List.of(camera), camera)) {
            ClipSweep sweep = java.util.Objects.requireNonNull(made.clips().get(camera));
            if (sweep.frames() != frames) {
                throw new IOException(file + ": " + frames + " frames were written, " + sweep.frames()
                        + " are read back; please report this");
            }
            Layout layout = encoding.codec() == ArtifactCodec.RAW ? Layout.THWC : Layout.TCHW;
            double psnr = writer.samples().compare(sweep, PictureTransform.of(writer.size(), layout));
            if (encoding.codec() == ArtifactCodec.RAW && psnr < 99) {
                throw new IOException(file + ": pictures came back different, PSNR " + psnr + "; please report this");
            }
            return psnr;
        }
    }

    private static TruthPart truth(EpisodeTruth truth, Path folder) throws IOException {
        ArrowTruthWriter.write(truth, folder.resolve(TRUTH));
        List<TruthField> fields = new ArrayList<>();
        for (TruthField field : truth.schema().fields()) {
            if (ArrowTruthWriter.isWritten(field)) {
                fields.add(field);
            }
        }
        long records =
                truth.tables().stream().mapToLong(table -> table.records()).sum();
        List<String> rounded = new ArrayList<>();
        for (TruthTable table : truth.tables()) {
            for (TruthField field :
                    table.constant() ? List.<TruthField>of() : table.schema().fields()) {
                if (ArrowTruthWriter.isWritten(field) && ArrowTruthWriter.isRounded(field)) {
                    rounded.add(field.name());
                }
            }
        }
        return new TruthPart(TRUTH, records, fields, rounded);
    }

    private static List<FilePart> files(Path folder) throws IOException {
        List<FilePart> parts = new ArrayList<>();
        List<Path> files;
        try (var list = Files.list(folder)) {
            files = list.sorted().toList();
        }
        for (Path file : files) {
            parts.add(new FilePart(String.valueOf(file.getFileName()), Files.size(file), Digests.of(file.toUri())));
        }
        return parts;
    }
}
