package dev.tidings.jpa;

final class H2MigratorIT extends MigratorTests {
    @Override
    TestDatabase emptyDatabase() throws Exception {
        return TestDatabase.h2();
    }
}
