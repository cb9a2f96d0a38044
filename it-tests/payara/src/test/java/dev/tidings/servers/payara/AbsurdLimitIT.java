package dev.tidings.servers.payara;

import dev.tidings.servers.backend.AbsurdLimitContract;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

final class AbsurdLimitIT extends AbsurdLimitContract {

    @Deployment(testable = false)
    public static WebArchive stays() {
        return beside();
    }

    @Deployment(name = ABSURD, managed = false, testable = false)
    public static WebArchive refused() {
        return absurd();
    }
}
