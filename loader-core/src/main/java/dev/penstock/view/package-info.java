/**
 * The training view as plain immutable data: which cameras, windows, sizes, layouts and truth columns a sample has, and
 * where samples are anchored. A view fixes the batch's names, shapes and types before a byte is read; it round-trips
 * through JSON ({@link dev.penstock.view.View#toJson()}), drives the command line and is stored in an artifact's
 * manifest.
 */
@NullMarked
package dev.penstock.view;

import org.jspecify.annotations.NullMarked;
