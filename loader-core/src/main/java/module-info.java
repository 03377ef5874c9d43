/** The loader: batches, views, plug-in points, probes and rooflines. Knows no codec, format or cloud. */
module dev.penstock.core {
    requires static transitive org.jspecify;
    requires static micrometer.core;
    requires org.slf4j;
    requires HdrHistogram;
    requires tools.jackson.databind;
}
