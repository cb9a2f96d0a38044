package dev.tidings.servers.wildfly;

import dev.tidings.servers.SampleBackendContract;
import dev.tidings.servers.backend.ServerProcess;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class WildFlyIT extends SampleBackendContract {

    @Override
    protected String door() {
        return "dev.tidings.transport.undertow.UndertowDoor";
    }

    @Override
    protected ServerProcess server() {
        return WildFlyServer.process();
    }

    /** The descriptor shuts WildFly's own Jackson out. */
    @Override
    protected String jacksonCoreJar() {
        return "/WEB-INF/lib/jackson-core-";
    }
}
