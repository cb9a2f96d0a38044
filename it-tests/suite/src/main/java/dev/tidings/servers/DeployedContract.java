package dev.tidings.servers;

import java.net.URI;
import java.net.URL;
import java.util.Objects;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jspecify.annotations.Nullable;

/**
 * A contract of what is deployed. Where Arquillian manages the server, the subclass is extended with it and has a
 * deployment; where it does not, the subclass says where the application is.
 *
 * <p>Threads: one.
 */
public abstract class DeployedContract {

    @ArquillianResource
    private @Nullable URL deployment;

    /** Where the application is. */
    protected URI deployment() {
        return URI.create(Objects.requireNonNull(deployment).toString());
    }
}
