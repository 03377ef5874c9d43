package dev.penstock.arrow.artifact;

import dev.penstock.decode.Episode;
import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what a run has written and which episodes are bad, and tells the listener. Thread-safe. */
final class MaterializeTally {
    private static final int NAMED = 8;

    private final MaterializeSettings settings;
    /** In the source's order of episodes, whatever thread found it. Guarded by this, as all below. */
    private final Map<String, String> bad = new LinkedHashMap<>();

    private long frames;
    private long allFrames;
    private int episodes;
    private int allEpisodes;

    MaterializeTally(MaterializeSettings settings) {
        this.settings = settings;
    }

    synchronized void plan(EpisodePlan plan) {
        if (plan.bad() != null) {
            bad.put(plan.episode().id(), plan.bad());
        }
    }

    synchronized void begin(List<EpisodePlan> pending) {
        allFrames = pending.stream().mapToLong(EpisodePlan::allFrames).sum();
        allEpisodes = pending.size();
    }

    synchronized void frame() {
        frames++;
        settings.progress().wrote(frames, allFrames, episodes, allEpisodes);
    }

    synchronized void episode() {
        episodes++;
        settings.progress().wrote(frames, allFrames, episodes, allEpisodes);
    }

    synchronized long frames() {
        return frames;
    }

    synchronized void bad(Episode episode, String reason) {
        bad.put(episode.id(), reason);
    }

    /** Throws when there are more bad episodes than the rule allows. */
    synchronized void checkBad() throws DatasetException {
        if (bad.isEmpty()) {
            return;
        }
        int of = settings.dataset().episodes().size();
        boolean allowed = MaterializeRun.skips(settings.onBad())
                && bad.size() <= settings.onBad().mostShare() * of
                && bad.size() <= settings.onBad().mostCount()
                && bad.size() < of;
        if (!allowed) {
            List<String> ids = new ArrayList<>(bad.keySet());
            String more = ids.size() == 1
                    ? ""
                    : " (" + (ids.size() - 1) + " more are bad: " + ids.subList(1, Math.min(NAMED, ids.size()))
                            + (ids.size() > NAMED ? ", ..." : "") + ")";
            String rule = MaterializeRun.skips(settings.onBad())
                    ? "; " + bad.size() + " of " + of + " are more than the allowed share of "
                            + settings.onBad().mostShare() + " (--bad-share)"
                    : "; mend it, filter it out, or leave bad episodes out (--on-bad skip)";
            throw new DatasetException(bad.get(ids.get(0)) + more + rule);
        }
    }

    /** The bad episodes in the source's order. */
    synchronized List<Manifest.Bad> badList() {
        List<Manifest.Bad> list = new ArrayList<>();
        for (Episode episode : settings.dataset().episodes()) {
            String reason = bad.get(episode.id());
            if (reason != null) {
                list.add(new Manifest.Bad(episode.id(), reason));
            }
        }
        return list;
    }
}
