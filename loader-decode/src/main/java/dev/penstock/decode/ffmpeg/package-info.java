/**
 * Everything that touches FFmpeg: natives, log, decoders, the scaler and the encoder. No other package of Penstock
 * imports {@code org.bytedeco}.
 */
@NullMarked
package dev.penstock.decode.ffmpeg;

import org.jspecify.annotations.NullMarked;
