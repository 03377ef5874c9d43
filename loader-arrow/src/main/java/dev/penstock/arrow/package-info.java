/**
 * Ground truth as Arrow columns: {@link dev.penstock.arrow.ArrowTruthWriter} writes any episode's truth into an Arrow IPC
 * file, and the format found by {@link dev.penstock.decode.truth.TruthTables} maps such files and hands their values to the
 * batch without parsing.
 */
@NullMarked
package dev.penstock.arrow;

import org.jspecify.annotations.NullMarked;
