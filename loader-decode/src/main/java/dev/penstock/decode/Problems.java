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

    /** Throws the first problem in full, with the names of the other episodes that have one. */
    void throwIfAny() throws DatasetException {
        if (problems.isEmpty()) {
            return;
        }
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
        String message = dataset + ", episode '" + first.episode + "', " + first.text + more;
        throw first.cause == null ? new DatasetException(message) : new DatasetException(message, first.cause);
    }
}
