/**
 * What a trainer holds in its hands: {@link dev.penstock.data.Batch batches} of named
 * {@link dev.penstock.data.Tensor tensors} in off-heap memory, and the {@link dev.penstock.data.BatchSpec spec} that
 * says beforehand what they will look like.
 */
@NullMarked
package dev.penstock.data;

import org.jspecify.annotations.NullMarked;
