package dev.penstock.decode;

import dev.penstock.decode.DatasetSummary.Camera;
import dev.penstock.decode.DatasetSummary.OneEpisode;
import dev.penstock.decode.DatasetSummary.Range;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes a {@link DatasetSummary}: indexes every clip and opens every truth. Used once, by one thread. */
final class SummaryReader {
    private final Episodes dataset;
    private final ClipFiles files;
    private final Map<String, CameraFacts> cameras = new LinkedHashMap<>();
    private final Map<String, Integer> splits = new TreeMap<>();
    private final List<OneEpisode> list = new ArrayList<>();
    private double seconds;

    private SummaryReader(Episodes dataset, ClipFiles files) {
        this.dataset = dataset;
        this.files = files;
    }

    static DatasetSummary read(Episodes episodes) throws IOException {
        List<String> missing = List.of();
        Episodes dataset = episodes;
        if (episodes.isMissingAllowed()) {
            MissingFiles absent = MissingFiles.of(episodes, null, true);
            missing = absent.list();
            dataset = absent.reduced();
        }
        ClipFiles files = new ClipFiles(dataset.settings(), dataset.cache());
        EpisodeTruths truths = EpisodeTruths.NONE;
        try {
            Problems problems = new Problems(dataset.name());
            files.read(dataset.episodes(), null, problems);
            if (!problems.isEmpty()) {
                MissingFiles.of(dataset, null, true).throwIfSeveral(problems.message(), problems.cause());
            }
            problems.throwIfAny();
            truths = EpisodeTruths.open(dataset, files, null, null, problems);
            problems.throwIfAny();
            return new SummaryReader(dataset, files).summary(truths, missing);
        } finally {
            truths.close();
            files.close();
        }
    }

    private DatasetSummary summary(EpisodeTruths truths, List<String> missing) throws IOException {
        for (int i = 0; i < dataset.episodes().size(); i++) {
            add(dataset.episodes().get(i), truths.of(i));
        }
        Map<String, Camera> summaries = new LinkedHashMap<>();
        cameras.forEach((name, facts) -> summaries.put(name, facts.summary()));
        List<TruthField> fields = TruthSchema.infer(truths.present()).fields();
        long bytes = files.all().stream().mapToLong(file -> file.blob().size()).sum();
        long frames = summaries.values().stream().mapToLong(Camera::frames).sum();
        int fileCount = (int)
                files.all().stream().map(file -> file.blob().uri()).distinct().count();
        return new DatasetSummary(
                dataset.name(),
                dataset.episodes().size(),
                splits,
                summaries,
                fileCount,
                bytes,
                frames,
                seconds,
                fields,
                truths.present().size(),
                List.copyOf(list),
                missing);
    }

    private void add(Episode episode, @Nullable EpisodeTruth truth) {
        Map<String, Integer> frames = new LinkedHashMap<>();
        double longest = 0;
        for (Map.Entry<String, Clip> camera : episode.cameras().entrySet()) {
            ClipFile file = files.of(camera.getValue());
            if (file != null) {
                CameraClip clip = new CameraClip(camera.getValue(), file);
                CameraFacts facts = cameras.computeIfAbsent(camera.getKey(), name -> new CameraFacts());
                double length = facts.add(clip);
                longest = Math.max(longest, length);
                frames.put(camera.getKey(), clip.frames());
            }
        }
        seconds += longest;
        splits.merge(episode.split() == null ? "" : episode.split(), 1, Integer::sum);
        TruthTable timed = truth == null ? null : truth.timed();
        Integer records = truth == null ? null : timed == null ? Integer.valueOf(0) : Integer.valueOf(timed.records());
        list.add(new OneEpisode(episode.id(), episode.split(), longest, frames, records));
    }

    /** What is known of one camera so far. */
    private static final class CameraFacts {
        private int episodes;
        private long frames;
        private double seconds;
        private final List<Double> rates = new ArrayList<>();
        private final List<Double> distances = new ArrayList<>();
        private final List<Double> bitRates = new ArrayList<>();
        private final Map<String, Integer> sizes = new TreeMap<>();
        private final Map<String, Integer> codecs = new TreeMap<>();

        /** Adds a clip; returns its seconds. */
        double add(CameraClip clip) {
            ClipIndex index = clip.index();
            episodes++;
            frames += clip.frames();
            double length = clip.seconds();
            seconds += length;
            if (length > 0) {
                rates.add(clip.frames() / length);
            }
            if (index.durationSeconds() > 0) {
                bitRates.add(8.0 * index.source().blobSize() / index.durationSeconds());
            }
            sizes.merge(index.format().width() + "x" + index.format().height(), 1, Integer::sum);
            codecs.merge(index.format().codec(), 1, Integer::sum);
            addDistances(index);
            return length;
        }

        private void addDistances(ClipIndex index) {
            PacketTable packets = index.packets();
            for (int k = 0; k < index.keyCount(); k++) {
                int next = k + 1 < index.keyCount() ? index.keyPacket(k + 1) : packets.count();
                distances.add((double) (next - index.keyPacket(k)));
            }
        }

        Camera summary() {
            return new Camera(
                    episodes, frames, seconds, range(rates), sizes, codecs, range(distances), range(bitRates));
        }

        private static Range range(List<Double> values) {
            if (values.isEmpty()) {
                return new Range(0, 0, 0);
            }
            double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(sorted);
            return new Range(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
        }
    }
}
