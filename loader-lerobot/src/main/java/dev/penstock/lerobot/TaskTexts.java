package dev.penstock.lerobot;

import dev.penstock.spi.DatasetException;
import java.util.List;

/** The list of a dataset's tasks: the text at each number. */
final class TaskTexts {
    private static final int MOST = 1 << 20;

    private TaskTexts() {}

    /** Puts a task at its number; those that the metadata leaves out are called after theirs. */
    static void put(List<String> tasks, long number, String text, String where) throws DatasetException {
        if (number < 0 || number > MOST) {
            throw new DatasetException(where + ": task_index is " + number + ", must be 0 to " + MOST);
        }
        while (tasks.size() <= number) {
            tasks.add("task " + tasks.size());
        }
        tasks.set((int) number, text);
    }
}
