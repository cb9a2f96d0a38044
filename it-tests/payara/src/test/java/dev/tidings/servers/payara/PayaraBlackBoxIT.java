package dev.tidings.servers.payara;

import dev.tidings.servers.blackbox.ArquillianServer;
import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;

final class PayaraBlackBoxIT extends ServerBlackBox {

    @Override
    protected BlackBoxServer startServer() {
        return ArquillianServer.start();
    }
}
