package dev.penstock.arrow.artifact;

import dev.penstock.BadSamples;
import dev.penstock.arrow.ArrowFlags;
import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.decode.clip.ClipException;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a {@link Materializer}: looks at every episode, writes those that are not there, then the manifest, then
 * takes out what the manifest no longer names. So whoever opens the artifact sees the old or the new one. Used once.
 */
final class MaterializeRun {
    private static final Logger LOG = LoggerFactory.getLogger(MaterializeRun.class);

    private final MaterializeSettings settings;
    private final ArtifactTarget target;
    private final String place;
    private final String key;
    private final WorkThreads threads;
    private final EpisodeWriter writer;
    private final long start = System.nanoTime();
    private final MaterializeTally tally;

    MaterializeRun(MaterializeSettings settings, ArtifactTarget target, String place) {
        this.settings = settings;
        this.target = target;
        this.place = place;
        this.key = settings.key();
        this.threads = new WorkThreads(settings.threads());
        this.writer = new EpisodeWriter(settings.rules(), settings.encoding(), new ByteGate(settings.memory()));
        this.tally = new MaterializeTally(settings);
    }

    MaterializeReport run() throws IOException, InterruptedException {
        ArrowFlags.require();
        if (settings.dataset().episodes().isEmpty()) {
            throw new DatasetException(settings.dataset().name() + " has no episode left; check the filter");
        }
        target.claim(key, settings.replace());
        List<EpisodePlan> plans = EpisodePlan.all(settings, key, writer);
        plans.forEach(tally::plan);
        tally.checkBad();
        Map<String, EpisodePart> parts = new HashMap<>();
        List<EpisodePlan> pending = new ArrayList<>();
        for (EpisodePlan plan : plans) {
            EpisodePart part = plan.bad() != null || !settings.onlyChanged() ? null : target.part(plan.folder());
            if (part != null) {
                parts.put(plan.folder(), part);
            } else if (plan.bad() == null) {
                pending.add(plan);
            }
        }
        checkDisk(pending);
        tally.begin(pending);
        int kept = parts.size();
        for (Optional<EpisodePart> part : threads.each(pending, this::write)) {
            part.ifPresent(written -> parts.put(written.folder(), written));
        }
        return finish(plans, parts, kept);
    }

    /** Opens an episode of the source as far as it is needed. */
    static EpisodeSweep open(MaterializeSettings settings, Episode episode) throws IOException {
        String reference = settings.view().referenceCamera();
        return EpisodeSweep.open(
                settings.dataset(), episode, settings.rules().keySet(), reference.isEmpty() ? null : reference);
    }

    private void checkDisk(List<EpisodePlan> pending) throws IOException, InterruptedException {
        long free = target.usableBytes();
        if (pending.isEmpty() || free == Long.MAX_VALUE) {
            return;
        }
        Trial trial;
        try {
            trial = Trial.of(settings, writer, pending.get(0), target.stage(), Trial.SHORT);
        } catch (IOException e) {
            throw unwritable(pending.get(0).episode(), e);
        }
        long need = trial == null ? 0 : trial.bytes(pending);
        if (need > free) {
            throw new DatasetException("target " + place + ": " + pending.size() + " episodes will take about "
                    + mebibytes(need) + ", only " + mebibytes(free)
                    + " are free there; free some, or choose another target, a smaller size or a lower quality");
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(java.util.Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
    }

    private IOException unwritable(Episode episode, IOException e) {
        return new IOException(
                "target " + place + ": episode '" + episode.id() + "' could not be written: " + e.getMessage()
                        + "; finished episodes are kept: mend that and run again",
                e);
    }

    /** Writes an episode; empty when it is bad and the rule allows that. */
    private Optional<EpisodePart> write(EpisodePlan plan) throws IOException, InterruptedException {
        Path staged = target.stage();
        EpisodePart part;
        try (EpisodeSweep sweep = open(settings, plan.episode())) {
            if (!sweep.fingerprint().equals(plan.fingerprint())) {
                throw new DatasetException(
                        "episode '" + plan.episode().id() + "' has changed since this run began; run it again");
            }
            part = writer.write(sweep, plan.fingerprint(), staged, plan.folder(), Integer.MAX_VALUE, tally::frame);
        } catch (DatasetException | BlobException | ClipException e) {
            Durable.delete(staged);
            tally.bad(plan.episode(), String.valueOf(e.getMessage()));
            tally.checkBad();
            return Optional.empty();
        } catch (InterruptedIOException e) {
            throw new InterruptedException(e.getMessage());
        } catch (IOException e) {
            Durable.delete(staged);
            throw unwritable(plan.episode(), e);
        }
        target.publish(staged, plan.folder());
        tally.episode();
        return Optional.of(part);
    }

    private MaterializeReport finish(List<EpisodePlan> plans, Map<String, EpisodePart> parts, int kept)
            throws IOException {
        List<Manifest.Entry> entries = new ArrayList<>();
        List<String> fingerprints = new ArrayList<>();
        Set<String> folders = new HashSet<>();
        for (EpisodePlan plan : plans) {
            EpisodePart part = parts.get(plan.folder());
            if (part != null) {
                Episode now = plan.episode();
                entries.add(new Manifest.Entry(plan.samples(), part.described(now.split(), now.metadata())));
                fingerprints.add(plan.fingerprint());
                folders.add(plan.folder());
            }
        }
        Manifest manifest = new Manifest(
                Manifest.FORMAT,
                Manifest.VERSION,
                version(),
                settings.view(),
                settings.encoding(),
                settings.rules(),
                Digests.of(fingerprints),
                Manifest.Totals.of(entries),
                entries,
                tally.badList());
        int dropped = dropped(folders, manifest);
        target.write(
                ArtifactTarget.SOURCE,
                SourceNote.of(settings.dataset()).toJson().getBytes(StandardCharsets.UTF_8));
        target.write(Manifest.FILE, manifest.toJson().getBytes(StandardCharsets.UTF_8));
        target.removeOthers(folders);
        double psnr = entries.stream()
                .flatMap(entry -> entry.part().cameras().values().stream())
                .map(EpisodePart.ClipPart::psnr)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(Double.NaN);
        Map<String, String> bad = new LinkedHashMap<>();
        manifest.bad().forEach(one -> bad.put(one.id(), one.reason()));
        return new MaterializeReport(
                place,
                entries.size() - kept,
                kept,
                dropped,
                bad,
                manifest.totals().samples(),
                tally.frames(),
                manifest.totals().bytes(),
                psnr,
                (System.nanoTime() - start) / 1e9);
    }

    /** Episodes of the manifest before that the source no longer has. */
    private int dropped(Set<String> folders, Manifest manifest) throws IOException {
        byte[] json = target.read(Manifest.FILE);
        if (json == null) {
            return 0;
        }
        Set<String> ids = new HashSet<>();
        manifest.episodes().forEach(entry -> ids.add(entry.part().id()));
        int dropped = 0;
        try {
            for (Manifest.Entry entry : Manifest.fromJson(place, json).episodes()) {
                dropped += ids.contains(entry.part().id()) ? 0 : 1;
            }
        } catch (DatasetException e) {
            LOG.warn("{}: the manifest before was damaged and is written anew ({} parts)", place, folders.size(), e);
        }
        return dropped;
    }

    static String version() {
        return Objects.requireNonNullElse(Materializer.class.getPackage().getImplementationVersion(), "development");
    }

    /** Whether bad episodes may be left out. */
    static boolean skips(BadSamples rule) {
        return rule.rule() == BadSamples.Rule.SKIP;
    }
}
