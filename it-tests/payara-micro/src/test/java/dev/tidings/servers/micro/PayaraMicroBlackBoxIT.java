package dev.tidings.servers.micro;

import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

final class PayaraMicroBlackBoxIT extends ServerBlackBox {
    @Override
    protected BlackBoxServer startServer() throws Exception {
        Path war = Path.of(Objects.requireNonNull(System.getProperty("blackbox.war"), "blackbox.war"));
        return new MicroServer(
                NewerJava.assumed(), Files.createTempDirectory("tidings-micro"), war, "tidings-blackbox");
    }
}
