package dev.tidings.servers.wildfly;

import dev.tidings.servers.backend.OtherLibrariesContract;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ArquillianExtension.class)
final class OtherLibrariesIT extends OtherLibrariesContract {

    @Deployment(name = OLDER, testable = false)
    public static WebArchive older() {
        return warWith(OLDER);
    }

    @Deployment(name = NEWER, testable = false)
    public static WebArchive newer() {
        return warWith(NEWER);
    }

    /** All are the WAR's own. */
    @Override
    protected List<Library> libraries(String age) {
        String jackson = age.equals(OLDER) ? "2.17.2" : "2.21.2";
        return List.of(
                new Library("com.fasterxml.jackson.core.JsonFactory", "/WEB-INF/lib/jackson-core-" + jackson),
                new Library(
                        "com.fasterxml.jackson.dataformat.cbor.CBORFactory",
                        "/WEB-INF/lib/jackson-dataformat-cbor-" + jackson),
                new Library(
                        "org.bouncycastle.math.ec.rfc8032.Ed25519",
                        "/WEB-INF/lib/bcprov-jdk18on-" + (age.equals(OLDER) ? "1.78.1" : "1.84")));
    }
}
