package dev.penstock.decode.clip;

import java.time.Duration;

/**
 * How much one clip may ask of the machine. A clip that would pass a limit fails with
 * {@link ClipException.Kind#LIMIT}; nothing is allocated first.
 *
 * @param maxPixels largest width x height of a frame
 * @param maxPacketBytes largest encoded frame in bytes
 * @param maxPackets longest packet table
 * @param maxWindowBytes most bytes that one window plan may read, or a whole blob that is demuxed from memory
 * @param maxDecodeTime longest time that one decode call may take; checked between packets
 */
public record DecodeLimits(
        long maxPixels, int maxPacketBytes, int maxPackets, long maxWindowBytes, Duration maxDecodeTime) {

    /** 8192x8192 pixels, 64 MiB a packet, 4 million packets, 1 GiB a window, 60 s a call. */
    public static final DecodeLimits DEFAULT =
            new DecodeLimits(8192L * 8192, 64 << 20, 4_000_000, 1L << 30, Duration.ofSeconds(60));

    /** Checks every limit at once. */
    public DecodeLimits {
        StringBuilder wrong = new StringBuilder();
        check(wrong, "maxPixels", maxPixels);
        check(wrong, "maxPacketBytes", maxPacketBytes);
        check(wrong, "maxPackets", maxPackets);
        check(wrong, "maxWindowBytes", maxWindowBytes);
        if (maxWindowBytes > Integer.MAX_VALUE) {
            wrong.append("maxWindowBytes was ").append(maxWindowBytes).append(", must be at most 2147483647; ");
        }
        if (maxDecodeTime.isNegative() || maxDecodeTime.isZero()) {
            wrong.append("maxDecodeTime was ").append(maxDecodeTime).append(", must be positive; ");
        }
        if (wrong.length() > 0) {
            throw new IllegalArgumentException(wrong.substring(0, wrong.length() - 2));
        }
    }

    private static void check(StringBuilder wrong, String name, long value) {
        if (value < 1) {
            wrong.append(name).append(" was ").append(value).append(", must be at least 1; ");
        }
    }

    /** The same limits with another largest frame. */
    public DecodeLimits withMaxPixels(long pixels) {
        return new DecodeLimits(pixels, maxPacketBytes, maxPackets, maxWindowBytes, maxDecodeTime);
    }

    /** The same limits with another largest packet. */
    public DecodeLimits withMaxPacketBytes(int bytes) {
        return new DecodeLimits(maxPixels, bytes, maxPackets, maxWindowBytes, maxDecodeTime);
    }

    /** The same limits with another longest packet table. */
    public DecodeLimits withMaxPackets(int packets) {
        return new DecodeLimits(maxPixels, maxPacketBytes, packets, maxWindowBytes, maxDecodeTime);
    }

    /** The same limits with another largest window. */
    public DecodeLimits withMaxWindowBytes(long bytes) {
        return new DecodeLimits(maxPixels, maxPacketBytes, maxPackets, bytes, maxDecodeTime);
    }

    /** The same limits with another longest call. */
    public DecodeLimits withMaxDecodeTime(Duration time) {
        return new DecodeLimits(maxPixels, maxPacketBytes, maxPackets, maxWindowBytes, time);
    }
}
