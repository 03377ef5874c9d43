/** The loader: batches, views, plug-in points, probes and rooflines. Knows no codec, format or cloud. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer ships no module descriptor
module dev.penstock.core {
    requires static transitive org.jspecify;
    requires static transitive micrometer.core;
    requires java.management;
    requires jdk.management;
    requires com.fasterxml.jackson.annotation;
    requires jdk.jfr;
    requires org.slf4j;
    requires HdrHistogram;
    requires tools.jackson.databind;

    exports dev.penstock;
    exports dev.penstock.data;
    exports dev.penstock.probe;
    exports dev.penstock.roofline;
    exports dev.penstock.spi;
    exports dev.penstock.view;

    opens dev.penstock to
            tools.jackson.databind;
    opens dev.penstock.probe to
            tools.jackson.databind;
    opens dev.penstock.roofline to
            tools.jackson.databind;
    opens dev.penstock.view to
            tools.jackson.databind;

    uses dev.penstock.spi.BlobStore;
}
