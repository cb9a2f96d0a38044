package dev.tidings.jpa;

final class MariaDbMigratorIT extends MigratorTests {
    @Override
    TestDatabase emptyDatabase() throws Exception {
        return MariaDbServer.database();
    }
}
