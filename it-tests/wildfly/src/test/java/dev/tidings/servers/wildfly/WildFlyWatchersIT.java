package dev.tidings.servers.wildfly;

import dev.tidings.servers.WatchersContract;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class WildFlyWatchersIT extends WatchersContract {

    @Deployment(testable = false)
    public static WebArchive war() {
        return application();
    }
}
