package dev.tidings.servers.payara;

import dev.tidings.servers.HealthContract;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class PayaraWatchersIT extends HealthContract {

    @Deployment(testable = false)
    public static WebArchive war() {
        return applicationWithHealth();
    }
}
