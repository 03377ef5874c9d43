/**
 * Reads Parquet files into columns, and ground truth out of them: {@link dev.penstock.lerobot.parquet.ParquetFile} and
 * {@link dev.penstock.lerobot.parquet.ParquetTruthFormat}. The only package that knows Parquet's own classes.
 */
@NullMarked
package dev.penstock.lerobot.parquet;

import org.jspecify.annotations.NullMarked;
