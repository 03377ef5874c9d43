package dev.penstock.view;

/** Resampling filter. All but {@link #NEAREST} are antialiased when they shrink. */
public enum Filter {
    /** Triangle filter; the default. */
    BILINEAR,
    /** Cubic convolution. */
    BICUBIC,
    /** Mean over the covered area. */
    AREA,
    /** The nearest source pixel; for label pictures. */
    NEAREST
}
