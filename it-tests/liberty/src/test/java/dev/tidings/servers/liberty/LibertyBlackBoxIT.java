package dev.tidings.servers.liberty;

import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;
import java.nio.file.Files;

final class LibertyBlackBoxIT extends ServerBlackBox {

    @Override
    protected BlackBoxServer startServer() throws Exception {
        return new LibertyServer(Files.createTempDirectory("tidings-liberty"));
    }
}
