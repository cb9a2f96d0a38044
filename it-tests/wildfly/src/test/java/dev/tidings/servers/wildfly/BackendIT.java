package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.DeployedBackendContract;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

final class BackendIT extends DeployedBackendContract {

    static final Pattern REQUESTS_AND_START = Pattern.compile(
            "default task-N|ServerService Thread Pool -- N|EJB default - N|Thread-N \\(activemq-client-global\\)");

    @Deployment(testable = false)
    public static WebArchive war() {
        return Backend.probedWar("backend.war");
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return REQUESTS_AND_START;
    }
}
