package dev.tidings.servers.wildfly;

import dev.tidings.servers.blackbox.ArquillianServer;
import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;

final class WildFlyBlackBoxIT extends ServerBlackBox {

    @Override
    protected BlackBoxServer startServer() {
        return ArquillianServer.start();
    }
}
