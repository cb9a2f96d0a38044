package dev.tidings.servers.micro;

import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;
import java.nio.file.Path;
import java.util.Objects;

final class PayaraMicroBlackBoxIT extends ServerBlackBox {
    @Override
    protected BlackBoxServer startServer() throws Exception {
        return MicroServer.with(Path.of(Objects.requireNonNull(System.getProperty("blackbox.war"), "blackbox.war")));
    }
}
