package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One transaction spans what is appended and what the host writes only if both are in one database. */
class SchemaStartupIT {

    @ParameterizedTest
    @ValueSource(strings = {"hibernate", "eclipselink"})
    void start_entityManagerSeesNoTables_isRefused(String unit) {
        refused(TestDatabase.h2(), unit);
    }

    /** A database that once was the right one: it has all tables, and another history. */
    @ParameterizedTest
    @ValueSource(strings = {"hibernate", "eclipselink"})
    void start_entityManagerSeesOtherTables_isRefused(String unit) throws SQLException {
        TestDatabase old = TestDatabase.h2();
        String epoch;
        try (Harness harness = Harness.start(old, unit)) {
            epoch = harness.transactions().required(() -> harness.log().epoch());
        }
        refused(old, unit);
        try (Harness harness = Harness.start(old, unit)) {
            assertEquals(
                    epoch, harness.transactions().required(() -> harness.log().epoch()));
        }
    }

    private static void refused(TestDatabase ofTheUnit, String unit) {
        TestDatabase migrated = TestDatabase.h2();
        assertNotEquals(migrated, ofTheUnit);
        String message = String.valueOf(assertThrows(
                        SchemaException.class,
                        () -> Harness.startWithTablesOn(migrated, ofTheUnit, unit)
                                .close())
                .getMessage());
        assertTrue(message.contains("@TidingsDb") && message.contains("tidings.jpa.datasource"), message);
    }
}
