/** A real S3 server in its own JVM, and a proxy that breaks the way to it. For tests here and in the bench. */
@NullMarked
package dev.penstock.s3.kit;

import org.jspecify.annotations.NullMarked;
