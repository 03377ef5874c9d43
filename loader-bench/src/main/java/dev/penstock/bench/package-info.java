/** The {@code penstock} command line, its reports, and the JMH benchmarks. */
@NullMarked
package dev.penstock.bench;

import org.jspecify.annotations.NullMarked;
