package dev.tidings.servers.wildfly;

import dev.tidings.servers.WatchersContract;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

final class WildFlyWatchersIT extends WatchersContract {

    @Deployment(testable = false)
    public static WebArchive war() {
        return application();
    }
}
