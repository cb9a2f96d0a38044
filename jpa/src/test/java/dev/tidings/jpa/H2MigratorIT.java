package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class H2MigratorIT extends MigratorTests {
    @Override
    TestDatabase emptyDatabase() throws Exception {
        return TestDatabase.h2();
    }

    @ParameterizedTest
    @CsvSource({"'', 2", "LOCK_TIMEOUT=9999, 2", "LOCK_TIMEOUT=10000, 0"})
    void prepare_lockTimeoutOfH2_isWarnedOfWhereItIsShort(String option, int warnings) throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;" + option);
        dataSource.setUser("sa");
        List<String> said = new CopyOnWriteArrayList<>();
        Handler heard = new Handler() {
            @Override
            public void publish(LogRecord words) {
                if (words.getLevel().equals(Level.WARNING)) {
                    said.add(words.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(Migrator.class.getName());
        log.addHandler(heard);
        try {
            TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
            TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE);
        } finally {
            log.removeHandler(heard);
        }
        assertEquals(
                warnings,
                said.stream().filter(words -> words.contains("LOCK_TIMEOUT")).count());
    }
}
