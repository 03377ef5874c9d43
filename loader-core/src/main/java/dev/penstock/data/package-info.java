/** Batches and tensors: the memory that a trainer is handed. */
@NullMarked
package dev.penstock.data;

import org.jspecify.annotations.NullMarked;
