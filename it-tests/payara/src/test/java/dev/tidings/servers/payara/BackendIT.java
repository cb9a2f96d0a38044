package dev.tidings.servers.payara;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.BackendContract;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class BackendIT extends BackendContract {

    // The second is whoever deploys; the last two belong to timers and to listeners to queues.
    static final Pattern REQUESTS_AND_START =
            Pattern.compile("http-thread-pool::http-listener-N\\(N\\)|admin-thread-pool::admin-listener\\(N\\)"
                    + "|__ejb-thread-poolN|orb-thread-pool-N \\(pool #N\\): worker-N");

    @Deployment(testable = false)
    public static WebArchive war() {
        return Backend.probedWar("backend.war");
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return REQUESTS_AND_START;
    }
}
