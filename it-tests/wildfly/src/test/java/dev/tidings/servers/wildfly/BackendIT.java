package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.BackendContract;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class BackendIT extends BackendContract {

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
