/** Roofline reports as files: JSON, and one HTML page that needs no network; and two of them side by side. */
@NullMarked
package dev.penstock.bench.report;

import org.jspecify.annotations.NullMarked;
