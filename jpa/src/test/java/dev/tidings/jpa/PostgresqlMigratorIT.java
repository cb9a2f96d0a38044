package dev.tidings.jpa;

final class PostgresqlMigratorIT extends MigratorTests {
    @Override
    TestDatabase emptyDatabase() throws Exception {
        return TestDatabase.postgresql();
    }
}
