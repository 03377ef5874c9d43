/**
 * What a plug-in implements. A {@link dev.penstock.spi.Dataset} bound to a view becomes a
 * {@link dev.penstock.spi.SampleSource}: a numbered list of samples and, for a batch of them, the bytes to read and the
 * pieces of decoding to do. The engine reads the bytes through {@link dev.penstock.spi.Blob}s into leased memory, hands
 * them to {@link dev.penstock.spi.SampleDecoder}s (which write pixels straight into the batch) and lets a
 * {@link dev.penstock.spi.SampleCollator} gather the truth. The core knows no codec, format or cloud.
 */
@NullMarked
package dev.penstock.spi;

import org.jspecify.annotations.NullMarked;
