package dev.penstock.view;

/** Order of a window's dimensions: T frames, C = 3 channels (R, G, B), H rows, W columns. */
public enum Layout {
    /** {@code [T, H, W, 3]}: interleaved pixels, what TensorFlow and image libraries take. */
    THWC,
    /** {@code [T, 3, H, W]}: planes, what PyTorch takes; the cheaper one to decode into. */
    TCHW
}
