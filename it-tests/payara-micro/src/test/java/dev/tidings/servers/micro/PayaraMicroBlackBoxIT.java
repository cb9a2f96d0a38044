package dev.tidings.servers.micro;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.ServerBlackBox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

final class PayaraMicroBlackBoxIT extends ServerBlackBox {
    private static final int JAVA = 21;

    @Override
    protected BlackBoxServer startServer() throws Exception {
        Optional<Path> java = NewerJava.find(JAVA);
        assumeTrue(java.isPresent(), "Payara Micro 7 needs a JDK 21 or newer, named by JAVA_HOME_21 for example");
        return new MicroServer(java.orElseThrow(), Files.createTempDirectory("tidings-micro"));
    }
}
