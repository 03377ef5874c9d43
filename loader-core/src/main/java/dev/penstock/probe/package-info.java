/**
 * What the loader says about itself: the trainer's wait on every {@code next()}, the counters of each stage, and the
 * listeners that take them elsewhere.
 */
@NullMarked
package dev.penstock.probe;

import org.jspecify.annotations.NullMarked;
