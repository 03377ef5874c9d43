package dev.penstock.view;

/** What a clip's YUV matrix is taken to be where the clip does not say. A tagged clip is always converted by its tags. */
public enum ColourRule {
    /** BT.601, as FFmpeg's own tools, PyAV, OpenCV and torchcodec do; the default. */
    BT601,
    /** BT.709 from 720 lines up, BT.601 below: what most unlabelled HD cameras mean. */
    BT709_FROM_720
}
