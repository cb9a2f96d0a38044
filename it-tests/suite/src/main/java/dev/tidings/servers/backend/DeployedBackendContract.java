package dev.tidings.servers.backend;

import java.net.URI;
import java.net.URL;
import java.util.Objects;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The same in a server that Arquillian manages.
 *
 * <p>Threads: one. The deployment, {@link Backend#probedWar}, is the subclass's.
 */
@ExtendWith(ArquillianExtension.class)
public abstract class DeployedBackendContract extends BackendContract {

    @ArquillianResource
    private @Nullable URL deployment;

    @Override
    protected final URI deployment() {
        return URI.create(Objects.requireNonNull(deployment).toString());
    }
}
