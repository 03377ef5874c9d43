package dev.penstock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls inside loader-core: imports run one way, {@code data <- view <- spi <- probe <- engine <- loader <- roofline}. */
@AnalyzeClasses(packages = "dev.penstock", importOptions = DoNotIncludeTests.class)
class WallsTest {

    @ArchTest
    static final ArchRule importsRunOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("data")
            .definedBy("dev.penstock.data..")
            .layer("view")
            .definedBy("dev.penstock.view..")
            .layer("spi")
            .definedBy("dev.penstock.spi..")
            .layer("probe")
            .definedBy("dev.penstock.probe..")
            .layer("engine")
            .definedBy("dev.penstock.engine..")
            .layer("loader")
            .definedBy("dev.penstock")
            .layer("roofline")
            .definedBy("dev.penstock.roofline..")
            .whereLayer("data")
            .mayNotAccessAnyLayer()
            .whereLayer("view")
            .mayOnlyAccessLayers("data")
            .whereLayer("spi")
            .mayOnlyAccessLayers("data", "view")
            .whereLayer("probe")
            .mayOnlyAccessLayers("data", "view", "spi")
            .whereLayer("engine")
            .mayOnlyAccessLayers("data", "view", "spi", "probe")
            .whereLayer("loader")
            .mayOnlyAccessLayers("data", "view", "spi", "probe", "engine")
            .whereLayer("roofline")
            .mayOnlyAccessLayers("data", "view", "spi", "probe", "engine", "loader");

    @ArchTest
    static final ArchRule coreKnowsNoCodecFormatOrCloud = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.bytedeco..", "org.apache.arrow..", "software.amazon..", "com.fasterxml.jackson.databind..");
}
