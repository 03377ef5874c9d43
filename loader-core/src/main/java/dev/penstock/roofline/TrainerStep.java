package dev.penstock.roofline;

import dev.penstock.data.Batch;

/** One training step on one batch: {@code trainer::step}. Returns when the accelerator has finished it. */
@FunctionalInterface
public interface TrainerStep {

    /** No trainer: batches are taken and dropped. */
    TrainerStep DRAIN = batch -> {};

    /** Trains on {@code batch}, which is borrowed: it is given back after the call. */
    void step(Batch batch) throws Exception;
}
