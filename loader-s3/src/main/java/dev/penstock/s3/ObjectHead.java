package dev.penstock.s3;

/** What is known of an object before it is read. */
record ObjectHead(long size, String etag) {}
