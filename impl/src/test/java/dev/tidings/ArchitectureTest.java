package dev.tidings;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The directions between packages: the folder list is the architecture. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.tidings");

    /** A rule over no classes would always hold. */
    @Test
    void importer_allPackages_found() {
        assertTrue(CLASSES.size() > 100, () -> "only " + CLASSES.size() + " classes");
        for (String name : new String[] {"delivery", "envelope", "access", "runs", "transport", "wiring"}) {
            assertTrue(CLASSES.containPackage("dev.tidings." + name), name);
        }
    }

    @Test
    void packages_noCycles() {
        slices().matching("dev.tidings.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void api_knowsNobody() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.tidings", "dev.tidings.event", "dev.tidings.spi")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "com.fasterxml..", "org.bouncycastle..", "org.eclipse..")
                .check(CLASSES);
    }

    @Test
    void delivery_knowsNoProtocolAndNoJakarta() {
        noClasses()
                .that()
                .resideInAPackage("dev.tidings.delivery..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..",
                        "com.fasterxml..",
                        "dev.tidings.protocol..",
                        "dev.tidings.runs..",
                        "dev.tidings.access..",
                        "dev.tidings.envelope..",
                        "dev.tidings.transport..",
                        "dev.tidings.wiring..")
                .check(CLASSES);
    }

    @Test
    void cores_arePlainJava() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.tidings.envelope..", "dev.tidings.access..", "dev.tidings.runs..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..", "dev.tidings.protocol..", "dev.tidings.transport..", "dev.tidings.wiring..")
                .check(CLASSES);
    }

    @Test
    void webSocket_onlyInProtocolsAndTransport() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.tidings.protocol..", "dev.tidings.transport..", "dev.tidings.wiring..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.websocket..")
                .check(CLASSES);
    }

    @Test
    void persistence_onlyInJpa() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.persistence..", "org.hibernate..", "java.sql..", "javax.sql..")
                .check(CLASSES);
    }

    @Test
    void wiring_knownByNobody() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.tidings.wiring..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.tidings.wiring..")
                .check(CLASSES);
    }

    @Test
    void verifiedEnvelope_madeOnlyInItsPackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.tidings.envelope..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..")
                .check(CLASSES);
    }
}
