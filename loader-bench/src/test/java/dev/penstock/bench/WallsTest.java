package dev.penstock.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** What holds for every module; they all stand on this module's class path. Each module's own walls are tested there. */
@AnalyzeClasses(
        packages = "dev.penstock",
        importOptions = {DoNotIncludeTests.class, WallsTest.NoTestJars.class})
class WallsTest {
    /** Other modules lend their test classes as jars. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    /** NullAway looks only into packages that are {@code @NullMarked}; one that is not goes unchecked in silence. */
    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .that()
            .resideOutsideOfPackage("..jmh_generated..")
            .should(new ArchCondition<>("be in a NullMarked package") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                        events.add(SimpleConditionEvent.violated(
                                type,
                                type.getName() + ": " + type.getPackageName() + " needs a @NullMarked package-info"));
                    }
                }
            });

    @ArchTest
    static final ArchRule onlyTheCommandLinePrints =
            noClasses().that().resideOutsideOfPackage("dev.penstock.bench..").should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule logsGoThroughSlf4j = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

    @ArchTest
    static final ArchRule javaCvIsThereToCompareWithAndForNothingElse = noClasses()
            .that()
            .resideOutsideOfPackage("dev.penstock.bench.jmh..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.bytedeco.javacv..");
}
