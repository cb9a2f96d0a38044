package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.PostgresqlContract;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class PostgresqlIT extends PostgresqlContract {

    @Deployment(testable = false)
    public static WebArchive war() {
        return war(Backend.probedWar("postgresql.war"), "java:jboss/datasources/Desk")
                .addAsWebInfResource(new StringAsset(dataSource(startDatabase())), "desk-ds.xml");
    }

    /** Without the validation a pool hands out connections that died while the database was away. */
    private static String dataSource(int port) {
        return """
                <datasources xmlns="http://www.jboss.org/ironjacamar/schema">
                  <datasource jndi-name="java:jboss/datasources/Desk" pool-name="Desk">
                    <connection-url>jdbc:postgresql://127.0.0.1:%d/postgres</connection-url>
                    <driver>postgresql.war_org.postgresql.Driver_42_7</driver>
                    <pool><max-pool-size>30</max-pool-size></pool>
                    <security><user-name>postgres</user-name><password>postgres</password></security>
                    <validation>
                      <valid-connection-checker
                          class-name="org.jboss.jca.adapters.jdbc.extensions.postgres.PostgreSQLValidConnectionChecker"/>
                      <validate-on-match>true</validate-on-match>
                    </validation>
                    <timeout><blocking-timeout-millis>5000</blocking-timeout-millis></timeout>
                  </datasource>
                </datasources>
                """.formatted(port);
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return BackendIT.REQUESTS_AND_START;
    }
}
