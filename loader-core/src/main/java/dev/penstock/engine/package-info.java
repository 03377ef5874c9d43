/**
 * Internal: the pipeline from plan to hand-off. Not exported.
 *
 * <p>One batch is a {@link dev.penstock.engine.BatchJob} over a {@link dev.penstock.engine.Slab} of memory. The
 * {@link dev.penstock.engine.Dispatcher} opens batches in plan order, as slabs come free, and deals their pieces out to
 * the read workers; a piece goes on to the decode queue with its bytes; the last piece of a batch sends it to collate;
 * the {@link dev.penstock.engine.OrderGate} holds finished batches until it is their turn.
 */
@NullMarked
package dev.penstock.engine;

import org.jspecify.annotations.NullMarked;
