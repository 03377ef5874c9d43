/**
 * Ground truth: where an episode's records are, what they hold, and how their values get into a batch.
 *
 * <p>A tour: {@link dev.penstock.decode.truth.TruthTables#open} looks at a file's content, picks the
 * {@link dev.penstock.decode.truth.TruthFormat} that reads it (JSON here, others through
 * {@link java.util.ServiceLoader}) and gives the episode's {@link dev.penstock.decode.truth.EpisodeTruth}: its
 * {@link dev.penstock.decode.truth.TruthTable}s, each a list of records with times, byte ranges and a
 * {@link dev.penstock.decode.truth.TruthSchema schema}. {@link dev.penstock.decode.truth.TruthBinding} checks the
 * columns of a view against them. {@link dev.penstock.decode.truth.TruthGather} then says which bytes a batch needs and
 * writes the values into it.
 */
@NullMarked
package dev.penstock.decode.truth;

import org.jspecify.annotations.NullMarked;
