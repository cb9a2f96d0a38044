package dev.tidings.servers.payara;

import dev.tidings.servers.backend.AbsurdLimitContract;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
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
