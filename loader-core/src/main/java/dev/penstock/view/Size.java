package dev.penstock.view;

/**
 * Width and height of a picture in pixels.
 *
 * @param width pixels in a row
 * @param height rows
 */
public record Size(int width, int height) {

    public Size {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("size was " + width + "x" + height + ", both must be at least 1");
        }
    }

    /** The size {@code width} × {@code height}. */
    public static Size of(int width, int height) {
        return new Size(width, height);
    }

    /**
     * Reads {@code 224x224}.
     *
     * @throws IllegalArgumentException when the text is of another form
     */
    public static Size parse(String text) {
        int cross = text.indexOf('x');
        try {
            return new Size(
                    Integer.parseInt(text.substring(0, Math.max(cross, 0))),
                    Integer.parseInt(text.substring(cross + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("size was '" + text + "', must be WIDTHxHEIGHT such as 224x224", e);
        }
    }

    @Override
    public String toString() {
        return width + "x" + height;
    }
}
