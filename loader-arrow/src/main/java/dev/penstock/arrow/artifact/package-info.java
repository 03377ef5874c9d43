/**
 * Datasets made ready for one training view. {@link dev.penstock.arrow.artifact.Materializer} writes an artifact: clips at
 * the view's size, truth as Arrow columns, a manifest. {@link dev.penstock.decode.Episodes#open} opens it through
 * {@link dev.penstock.arrow.artifact.ArtifactFormat}. docs/formats.md shows the layout.
 */
@NullMarked
package dev.penstock.arrow.artifact;

import org.jspecify.annotations.NullMarked;
