package dev.tidings.servers.micro;

import dev.tidings.servers.backend.OtherLibrariesContract;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class OtherLibrariesIT extends OtherLibrariesContract {

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() {
        server = MicroServer.with(List.of(warWith(OLDER), warWith(NEWER)));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected URI deployment(String age) {
        return Objects.requireNonNull(server).base().resolve("/" + age + "-libraries");
    }

    /** Jackson's core is the server's, whatever the WAR holds; the rest is the WAR's own, newer than that core or older. */
    @Override
    protected List<Library> libraries(String age) {
        String jackson = age.equals(OLDER) ? "2.17.2" : "2.21.2";
        return List.of(
                new Library("com.fasterxml.jackson.core.JsonFactory", "/runtime/jackson-core"),
                new Library(
                        "com.fasterxml.jackson.dataformat.cbor.CBORFactory",
                        "/WEB-INF/lib/jackson-dataformat-cbor-" + jackson),
                new Library(
                        "org.bouncycastle.math.ec.rfc8032.Ed25519",
                        "/WEB-INF/lib/bcprov-jdk18on-" + (age.equals(OLDER) ? "1.78.1" : "1.84")));
    }
}
