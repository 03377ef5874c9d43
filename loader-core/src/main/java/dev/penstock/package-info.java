/**
 * What a trainer touches: the loader, its settings and its state.
 *
 * <p>{@link dev.penstock.Shuffle} and {@link dev.penstock.Shard} say in which order and on which rank samples come,
 * {@link dev.penstock.LoaderState} where a run stands, so that another goes on from there.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
