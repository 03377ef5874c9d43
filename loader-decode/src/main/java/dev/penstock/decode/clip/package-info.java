/**
 * What is known about a clip before a byte of it is decoded: its packets, its frames in the order in which they are
 * shown, and which bytes a window of frames needs. Nothing in this package knows FFmpeg.
 *
 * <p>Start at {@link dev.penstock.decode.clip.ClipIndex}; {@link dev.penstock.decode.clip.WindowPlan} turns frame
 * numbers into packets and byte ranges; {@link dev.penstock.decode.clip.IndexCache} keeps indexes between runs.
 */
@NullMarked
package dev.penstock.decode.clip;

import org.jspecify.annotations.NullMarked;
