package dev.penstock.lerobot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of loader-lerobot: {@code parquet <- lerobot}, and Parquet's own classes stay behind the first. */
@AnalyzeClasses(packages = "dev.penstock.lerobot", importOptions = DoNotIncludeTests.class)
class WallsTest {

    @ArchTest
    static final ArchRule theReaderKnowsNoDataset = noClasses()
            .that()
            .resideInAPackage("dev.penstock.lerobot.parquet..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.penstock.lerobot");

    @ArchTest
    static final ArchRule onlyTheReaderKnowsParquet = noClasses()
            .that()
            .resideOutsideOfPackage("dev.penstock.lerobot.parquet..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.parquet..", "io.airlift..");

    @ArchTest
    static final ArchRule decodeIsReachedThroughItsOpenParts = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.penstock.engine..", "dev.penstock.decode.ffmpeg..", "dev.penstock.arrow..");
}
