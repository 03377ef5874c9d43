/** Episodes of clips: video and its ground truth, opened as a dataset of the loader. */
@NullMarked
package dev.penstock.decode;

import org.jspecify.annotations.NullMarked;
