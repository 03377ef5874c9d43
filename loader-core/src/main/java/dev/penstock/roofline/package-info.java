/**
 * Which ceiling is lower, the accelerator's or the data's, and what to turn next.
 *
 * <p>{@link dev.penstock.roofline.Roofline} measures: {@link dev.penstock.roofline.BatchSizeSweep} with fake batches
 * finds the accelerator's ceiling, {@link dev.penstock.roofline.ConcurrencySweep} the data's (fitted by
 * {@link dev.penstock.roofline.UslFit}), {@link dev.penstock.roofline.StallLedger} splits a step into compute,
 * contention, preparation and fetch, {@link dev.penstock.roofline.PipelineReplay} predicts what one change would bring.
 * {@link dev.penstock.roofline.Advisor} turns the figures into {@link dev.penstock.roofline.Advice}.
 * {@link dev.penstock.roofline.StepProfile} can stand alone around any training loop.
 */
@NullMarked
package dev.penstock.roofline;

import org.jspecify.annotations.NullMarked;
