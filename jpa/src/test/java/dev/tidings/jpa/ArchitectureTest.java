package dev.tidings.jpa;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the module may know, and its doors. */
final class ArchitectureTest {

    private final JavaClasses module = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.tidings.jpa");

    @Test
    void module_dependsOnTheApiAndStandardsOnly() {
        assertTrue(module.size() > 20);
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tidings",
                        "dev.tidings.event",
                        "dev.tidings.spi",
                        "dev.tidings.jpa",
                        "jakarta..",
                        "java..",
                        "javax.sql",
                        "javax.naming",
                        "org.eclipse.microprofile.config",
                        "org.jspecify.annotations")
                .check(module);
    }

    @Test
    void module_hasThreeDoors() {
        Set<String> doors = module.stream()
                .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());
        assertEquals(Set.of("TidingsDb", "TidingsSchema", "SchemaException"), doors);
    }
}
