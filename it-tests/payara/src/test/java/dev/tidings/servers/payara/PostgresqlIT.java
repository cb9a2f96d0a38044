package dev.tidings.servers.payara;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.PayaraPool;
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
        return war(Backend.probedWar("postgresql.war"), PayaraPool.NAME)
                .addAsWebInfResource(
                        new StringAsset(PayaraPool.descriptor(startDatabase())), "glassfish-resources.xml");
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return BackendIT.REQUESTS_AND_START;
    }
}
