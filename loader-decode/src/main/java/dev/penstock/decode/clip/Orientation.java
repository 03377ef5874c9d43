package dev.penstock.decode.clip;

/**
 * How a coded picture is turned for display.
 *
 * @param rotation degrees to turn it clockwise: 0, 90, 180 or 270; -1 for a matrix that is none of these
 * @param mirrored whether it is flipped left to right before it is turned
 */
public record Orientation(int rotation, boolean mirrored) {
    /** Shown as coded. */
    public static final Orientation NORMAL = new Orientation(0, false);

    private static final int ONE = 1 << 16;

    /**
     * Reads a display matrix (ISO/IEC 14496-12 8.3.2): a point (x, y) of the picture goes to
     * (a x + c y, b x + d y), with y pointing down; {@code a, b, u, c, d, v, x, y, w} in this order.
     */
    public static Orientation ofMatrix(int[] m) {
        int a = sign(m[0]);
        int b = sign(m[1]);
        int c = sign(m[3]);
        int d = sign(m[4]);
        boolean axes = (a != 0 && d != 0 && b == 0 && c == 0) || (a == 0 && d == 0 && b != 0 && c != 0);
        boolean units = unit(m[0]) && unit(m[1]) && unit(m[3]) && unit(m[4]);
        if (!axes || !units) {
            return new Orientation(-1, false);
        }
        boolean mirrored = a * d - b * c < 0;
        if (mirrored) {
            // Without the flip of x, whose column is (a, b).
            a = -a;
            b = -b;
        }
        // The picture's x axis points to (a, b): right, down, left, up for 0, 90, 180, 270 clockwise.
        int rotation = a > 0 ? 0 : b > 0 ? 90 : a < 0 ? 180 : 270;
        return new Orientation(rotation, mirrored);
    }

    private static int sign(int value) {
        return Math.abs(value) < ONE / 64 ? 0 : Integer.signum(value);
    }

    private static boolean unit(int value) {
        return Math.abs(value) < ONE / 64 || Math.abs(Math.abs(value) - ONE) < ONE / 64;
    }
}
