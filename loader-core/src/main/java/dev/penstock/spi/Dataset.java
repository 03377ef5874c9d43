package dev.penstock.spi;

import dev.penstock.view.View;
import java.io.IOException;

/** Metadata and blobs: a list of episodes. Opening one copies nothing. Immutable and thread-safe. */
public interface Dataset {

    /** A short name for messages: the folder's or index's address. */
    String name();

    /**
     * Applies a view: checks that every episode can serve it and numbers its samples. Reads what that needs (indexes,
     * truth times) and no pixel.
     *
     * @throws DatasetException when an episode can't serve the view; the message names episode, camera, file and rule
     * @throws IOException when something can't be read
     */
    SampleSource bind(View view) throws IOException;
}
