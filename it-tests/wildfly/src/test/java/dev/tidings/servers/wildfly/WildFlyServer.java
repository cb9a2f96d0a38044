package dev.tidings.servers.wildfly;

import dev.tidings.servers.LoopbackPorts;
import org.jboss.arquillian.container.spi.Container;
import org.jboss.arquillian.container.spi.ContainerRegistry;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Gives WildFly free ports of 127.0.0.1 before Arquillian starts it.
 *
 * <p>Threads: Arquillian's own. Public for Arquillian; not API.
 */
public final class WildFlyServer implements LoadableExtension {

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(PortChoice.class);
    }

    /** Chooses when the containers are known and none is started. Public for Arquillian; not API. */
    public static final class PortChoice {

        /** Sets the ports of every container. */
        public void choose(@Observes ContainerRegistry registry) {
            LoopbackPorts ports = new LoopbackPorts();
            for (Container container : registry.getContainers()) {
                int management = ports.next();
                container
                        .getContainerConfiguration()
                        .property("managementPort", Integer.toString(management))
                        .property(
                                "javaVmArguments",
                                "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                                        + " -Djava.net.preferIPv4Stack=true"
                                        + " -Djboss.bind.address=127.0.0.1 -Djboss.bind.address.management=127.0.0.1"
                                        + " -Djboss.management.http.port=" + management
                                        + " -Djboss.management.https.port=" + ports.next()
                                        + " -Djboss.http.port=" + ports.next()
                                        + " -Djboss.https.port=" + ports.next()
                                        + " " + System.getProperty("server.properties", ""));
            }
        }
    }
}
