package dev.penstock.view;

/** How a picture of one shape becomes a picture of another. */
public enum Resize {
    /** Both sides are scaled on their own; the picture's aspect may change. */
    STRETCH,
    /** The whole picture fits inside, aspect kept, centred, the rest filled with the fill colour. */
    LETTERBOX,
    /** The largest centred part of the wanted aspect is cut out and scaled. */
    CENTER_CROP
}
