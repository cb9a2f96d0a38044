package dev.tidings.jpa;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class H2HibernateIT extends JpaPortsSuite {

    private static @Nullable Harness harness;

    @BeforeAll
    static void start() throws Exception {
        harness = Harness.start(TestDatabase.h2(), "hibernate");
    }

    @AfterAll
    static void stop() {
        if (harness != null) {
            harness.close();
        }
    }

    @Override
    Harness harness() {
        return Objects.requireNonNull(harness);
    }
}
