package dev.penstock.decode;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls inside loader-decode: imports run one way, {@code clip <- ffmpeg <- decode}; truth stands apart. */
@AnalyzeClasses(packages = "dev.penstock.decode", importOptions = WallsTest.OutsideTests.class)
class WallsTest {

    /** Wherever the build puts them: ArchUnit's own option knows target/test-classes only. */
    static final class OutsideTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    @ArchTest
    static final ArchRule importsRunOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("clip")
            .definedBy("dev.penstock.decode.clip..")
            .layer("truth")
            .definedBy("dev.penstock.decode.truth..")
            .layer("ffmpeg")
            .definedBy("dev.penstock.decode.ffmpeg..")
            .layer("decode")
            .definedBy("dev.penstock.decode")
            .whereLayer("clip")
            .mayNotAccessAnyLayer()
            .whereLayer("truth")
            .mayNotAccessAnyLayer()
            .whereLayer("ffmpeg")
            .mayOnlyAccessLayers("clip")
            .whereLayer("decode")
            .mayOnlyAccessLayers("clip", "truth", "ffmpeg");

    @ArchTest
    static final ArchRule onlyTheFfmpegPackageKnowsFfmpeg = noClasses()
            .that()
            .resideOutsideOfPackage("dev.penstock.decode.ffmpeg..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.bytedeco..");

    @ArchTest
    static final ArchRule theLoaderReachesDecodeOnlyThroughItsPlugInPoints =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.penstock.engine..");
}
