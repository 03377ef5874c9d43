/** A small made dataset of moving scenes with known truth, for {@code ./penstock demo} and for benchmarks. */
@NullMarked
package dev.penstock.bench.demo;

import org.jspecify.annotations.NullMarked;
