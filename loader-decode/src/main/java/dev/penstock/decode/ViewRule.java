package dev.penstock.decode;

import dev.penstock.spi.DatasetException;
import dev.penstock.view.View;

/**
 * Which views a dataset can serve, asked before any clip is opened: a format that holds less than its source (smaller
 * pictures, fewer cameras) gives one to {@link Episodes#allowing}. Used from any thread.
 */
@FunctionalInterface
public interface ViewRule {
    /** Every view. */
    ViewRule ANY = view -> {};

    /**
     * Passes a view that can be served.
     *
     * @throws DatasetException for any other; the message says what it asks for, what there is and what to do
     */
    void check(View view) throws DatasetException;
}
