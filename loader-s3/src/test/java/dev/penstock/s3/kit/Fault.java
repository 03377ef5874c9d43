package dev.penstock.s3.kit;

import java.time.Duration;

/**
 * What {@link FaultProxy} does to one exchange.
 *
 * @param kind what
 * @param at bytes of the body that pass before it happens, or the byte that is flipped
 * @param amount the status, bytes per second, milliseconds, or bytes that are missing
 */
public record Fault(Kind kind, long at, long amount) {

    /** The ways to break an exchange. */
    public enum Kind {
        /** Nothing. */
        NONE,
        /** An error of the server's instead of its answer. */
        STATUS,
        /** The answer's head comes late. */
        DELAY,
        /** The connection ends in the body. */
        CUT,
        /** The connection is reset in the body. */
        RESET,
        /** The connection is closed before any answer. */
        REFUSE,
        /** One bit of one body byte is turned. */
        FLIP,
        /** The body comes slowly. */
        SLOW,
        /** The body stops coming, and the connection stays. */
        STALL,
        /** Head and body agree on fewer bytes than were asked for. */
        SHORT
    }

    /** Nothing happens. */
    public static final Fault NONE = new Fault(Kind.NONE, 0, 0);

    /** An answer with this status: 500, or 503 with the code SlowDown. */
    public static Fault status(int status) {
        return new Fault(Kind.STATUS, 0, status);
    }

    /** A late head. */
    public static Fault delay(Duration delay) {
        return new Fault(Kind.DELAY, 0, delay.toMillis());
    }

    /** An end after so many body bytes. */
    public static Fault cut(long after) {
        return new Fault(Kind.CUT, after, 0);
    }

    /** A reset after so many body bytes. */
    public static Fault reset(long after) {
        return new Fault(Kind.RESET, after, 0);
    }

    /** An end before the answer. */
    public static Fault refuse() {
        return new Fault(Kind.REFUSE, 0, 0);
    }

    /** A wrong bit in a body byte. */
    public static Fault flip(long at) {
        return new Fault(Kind.FLIP, at, 0);
    }

    /** A body of so many bytes per second. */
    public static Fault slow(long bytesPerSecond) {
        return new Fault(Kind.SLOW, 0, bytesPerSecond);
    }

    /** A body that stops after so many bytes. */
    public static Fault stall(long after) {
        return new Fault(Kind.STALL, after, 0);
    }

    /** So many bytes fewer than asked for. */
    public static Fault shorter(long by) {
        return new Fault(Kind.SHORT, 0, by);
    }
}
