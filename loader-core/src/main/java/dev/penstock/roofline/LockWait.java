package dev.penstock.roofline;

/**
 * A lock on which workers waited inside a plug-in's code, as Java Flight Recorder saw it.
 *
 * @param lock class of the monitor or of the parked synchronizer
 * @param where the plug-in's method that waited
 * @param nanos waited, summed over workers
 */
public record LockWait(String lock, String where, long nanos) {}
