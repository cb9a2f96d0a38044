package dev.tidings.servers.payara;

import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.backend.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jboss.arquillian.container.spi.Container;
import org.jboss.arquillian.container.spi.ContainerRegistry;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Gives Payara a fresh domain on free ports of 127.0.0.1 before Arquillian starts it.
 *
 * <p>Threads: Arquillian's own. Public for Arquillian; not API.
 */
public final class PayaraServer implements LoadableExtension {

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(DomainChoice.class);
    }

    /** The one that Arquillian started. */
    static ServerProcess process() {
        Path file = Path.of(System.getProperty("server.home"), "glassfish/domains/tidings/config/pid");
        try {
            return new ServerProcess(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Chooses when the containers are known and none is started. Public for Arquillian; not API. */
    public static final class DomainChoice {

        /** Makes a domain for every container. */
        public void choose(@Observes ContainerRegistry registry) {
            Path home = Path.of(Objects.requireNonNull(System.getProperty("server.home"), "server.home"));
            LoopbackPorts ports = new LoopbackPorts();
            for (Container container : registry.getContainers()) {
                LoopbackDomain domain = new LoopbackDomain(home.resolve("glassfish/domains"), "tidings");
                try {
                    domain.create(ports);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                container
                        .getContainerConfiguration()
                        .property("domain", domain.name())
                        .property("adminPort", Integer.toString(domain.adminPort()));
            }
        }
    }
}
