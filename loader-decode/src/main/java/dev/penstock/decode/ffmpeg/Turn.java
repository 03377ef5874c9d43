package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.Orientation;

/**
 * How a coded picture is turned to be shown: one of the eight right-angle turns and mirrors. Immutable.
 *
 * <p>The shown pixel (x, y) is the coded pixel (x, y), or (y, x) when transposed, after x is counted from the right
 * where {@code mirrorX} and y from the bottom where {@code mirrorY}.
 *
 * @param transpose whether rows become columns, so that width and height change places
 * @param mirrorX whether the shown picture runs from the right
 * @param mirrorY whether the shown picture runs from the bottom
 */
public record Turn(boolean transpose, boolean mirrorX, boolean mirrorY) {

    /** Shown as it is coded. */
    public static final Turn UPRIGHT = new Turn(false, false, false);

    private static final int MATRIX_ELEMENTS = 9;

    /**
     * Reads a display matrix as MP4 and FFmpeg store it: nine 16.16 fixed point numbers, row by row, of which the first
     * two of the first two rows turn and mirror. Scale and translation are ignored.
     *
     * @throws IllegalArgumentException when the matrix turns by another angle than a multiple of 90 degrees
     */
    public static Turn of(int[] matrix) {
        if (matrix.length != MATRIX_ELEMENTS) {
            throw new IllegalArgumentException(
                    "display matrix had " + matrix.length + " elements, must have " + MATRIX_ELEMENTS);
        }
        long a = matrix[0];
        long b = matrix[1];
        long c = matrix[3];
        long d = matrix[4];
        if (small(b, a, d) && small(c, a, d) && a != 0 && d != 0) {
            return new Turn(false, a < 0, d < 0);
        }
        if (small(a, b, c) && small(d, b, c) && b != 0 && c != 0) {
            return new Turn(true, c < 0, b < 0);
        }
        throw new IllegalArgumentException("display matrix [" + a + " " + b + "; " + c + " " + d
                + "] turns by an angle that is no multiple of 90 degrees; re-encode the clip upright");
    }

    /** Turned clockwise by 0, 90, 180 or 270 degrees; negative values turn the other way. */
    public static Turn clockwise(int degrees) {
        return switch (Math.floorMod(degrees, 360)) {
            case 0 -> UPRIGHT;
            case 90 -> new Turn(true, true, false);
            case 180 -> new Turn(false, true, true);
            case 270 -> new Turn(true, false, true);
            default ->
                throw new IllegalArgumentException("rotation was " + degrees + ", must be a multiple of 90 degrees");
        };
    }

    /**
     * The turn that a clip's index names.
     *
     * @throws IllegalArgumentException when the clip's matrix is none of the eight
     */
    public static Turn of(Orientation orientation) {
        if (orientation.rotation() < 0) {
            throw new IllegalArgumentException(
                    "the clip's display matrix is no multiple of 90 degrees; re-encode the clip upright");
        }
        Turn turn = clockwise(orientation.rotation());
        if (!orientation.mirrored()) {
            return turn;
        }
        return turn.transpose
                ? new Turn(true, turn.mirrorX, !turn.mirrorY)
                : new Turn(false, !turn.mirrorX, turn.mirrorY);
    }

    private static boolean small(long value, long large, long other) {
        return Math.abs(value) * 1000 <= Math.min(Math.abs(large), Math.abs(other));
    }
}
