package dev.penstock.decode;

import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is wrong with a dataset's episodes, so that one message tells of all of them. One thread. */
final class Problems {
    private static final int NAMED = 8;

    private record Problem(
            String episode, String text, @Nullable Throwable cause) {}

    private final String dataset;
    private final List<Problem> problems = new ArrayList<>();

    Problems(String dataset) {
        this.dataset = dataset;
    }

    void add(Episode episode, String text, @Nullable Throwable cause) {
        String prefix = "episode '" + episode.id() + "', "; // the message will have it already
        problems.add(
                new Problem(episode.id(), text.startsWith(prefix) ? text.substring(prefix.length()) : text, cause));
    }

    void add(Episode episode, String text) {
        add(episode, text, null);
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** The cause of the first problem, or null. */
    @Nullable
    Throwable cause() {
        return problems.isEmpty() ? null : problems.get(0).cause;
    }

    /** Throws the first problem in full, with the names of the other episodes that have one. */
    void throwIfAny() throws DatasetException {
        if (problems.isEmpty()) {
            return;
        }
        Throwable cause = cause();
        throw cause == null ? new DatasetException(message()) : new DatasetException(message(), cause);
    }

    /** The first problem in full, with the names of the other episodes that have one; there must be one. */
    String message() {
        Problem first = problems.get(0);
        Set<String> others = new LinkedHashSet<>();
        problems.forEach(problem -> others.add("'" + problem.episode + "'"));
        others.remove("'" + first.episode + "'");
        String more = "";
        if (!others.isEmpty()) {
            List<String> names = new ArrayList<>(others).subList(0, Math.min(NAMED, others.size()));
            more = " (" + others.size() + " more episodes have a problem: " + String.join(", ", names)
                    + (others.size() > NAMED ? ", ..." : "") + ")";
        }
        return dataset + ", episode '" + first.episode + "', " + first.text + more;
    }
}
