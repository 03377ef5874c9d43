package dev.penstock.arrow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls inside loader-arrow: artifacts stand on columns and not the other way round; nothing here knows FFmpeg. */
@AnalyzeClasses(packages = "dev.penstock.arrow", importOptions = DoNotIncludeTests.class)
class WallsTest {

    @ArchTest
    static final ArchRule columnsKnowNoArtifact = noClasses()
            .that()
            .resideInAPackage("dev.penstock.arrow")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.penstock.arrow.artifact..");

    @ArchTest
    static final ArchRule clipsAreReadAndWrittenThroughDecode =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("org.bytedeco..", "dev.penstock.engine..");

    @ArchTest
    static final ArchRule arrowStaysInsideTheColumns = noClasses()
            .that()
            .resideInAPackage("dev.penstock.arrow.artifact..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.arrow..");
}
