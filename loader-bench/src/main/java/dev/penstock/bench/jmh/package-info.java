/**
 * JMH benchmarks: windows, sequential reading and the whole loader, beside a bare FFmpeg loop and JavaCV's grabber in
 * the same run. Run them with {@code java -cp 'loader-bench/target/loader-bench-*.jar' org.openjdk.jmh.Main NAME}.
 */
@NullMarked
package dev.penstock.bench.jmh;

import org.jspecify.annotations.NullMarked;
