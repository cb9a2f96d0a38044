package dev.tidings.servers.backend;

import static dev.tidings.servers.backend.Backend.watching;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.sample.EchoRunner;
import dev.tidings.servers.LibrariesServlet;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ArchivePath;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.Asset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The smallest WAR there is, an agent that answers and {@code tidings-jpa-default}, with other versions of the libraries
 * that Tidings brings: an application is free to choose them.
 *
 * <p>Threads: one. The two deployments are the subclass's, made by {@link #warWith}.
 */
public abstract class OtherLibrariesContract {

    /** The name of the deployment with older libraries. */
    protected static final String OLDER = "older";

    /** The name of the deployment with newer libraries. */
    protected static final String NEWER = "newer";

    @ArquillianResource
    @OperateOnDeployment(OLDER)
    private @Nullable URL older;

    @ArquillianResource
    @OperateOnDeployment(NEWER)
    private @Nullable URL newer;

    /**
     * A WAR with one class, the jars of Tidings, and the libraries of a directory in place of those that Tidings names.
     *
     * @param age {@link #OLDER} or {@link #NEWER}
     */
    protected static WebArchive warWith(String age) {
        WebArchive sample = Backend.war("sample.war");
        WebArchive war = ShrinkWrap.create(WebArchive.class, age + "-libraries.war");
        sample.getContent().forEach((path, node) -> {
            Asset asset = node.getAsset();
            if (asset != null && wanted(path)) {
                war.add(asset, path);
            }
        });
        String directory = Objects.requireNonNull(System.getProperty("libraries.directory"), "libraries.directory");
        File[] jars = Objects.requireNonNull(new File(directory, age).listFiles(), directory);
        assertTrue(jars.length >= 3, () -> "the libraries are missing in " + directory);
        String unit = Objects.requireNonNull(System.getProperty("default-unit.jar"), "default-unit.jar");
        return war.addAsLibraries(jars)
                .addAsLibrary(new File(unit))
                .addClasses(EchoRunner.class, LibrariesServlet.class);
    }

    /** Neither classes nor a persistence unit of the sample's, and no library that comes in another version. */
    private static boolean wanted(ArchivePath path) {
        String name = path.get();
        return name.startsWith("/WEB-INF/lib/tidings-")
                || name.equals("/WEB-INF/beans.xml")
                || name.equals("/WEB-INF/jboss-deployment-structure.xml");
    }

    /** Where the application with libraries of this age is. */
    protected URI deployment(String age) {
        return URI.create(
                Objects.requireNonNull(age.equals(OLDER) ? older : newer).toString());
    }

    /** Which library comes from where with those in the WAR being of this age: a class, and a part of its jar's path. */
    protected abstract List<Library> libraries(String age);

    /**
     * A library.
     *
     * @param type the full name of a class of it
     * @param jar a part of the path of the jar that it comes from
     */
    public record Library(String type, String jar) {}

    @Test
    void application_withOlderLibraries_works() {
        works(OLDER);
    }

    @Test
    void application_withNewerLibraries_works() {
        works(NEWER);
    }

    private void works(String age) {
        Backend backend = new Backend(deployment(age));
        for (Library library : libraries(age)) {
            String from = backend.get("/libraries?class=" + library.type());
            assertTrue(from.contains(library.jar()), () -> library.type() + " comes from " + from);
        }

        SignedClient owner = SignedClient.newAccount(backend.base());
        String session = owner.newSession();
        WatchSocket live = watching(owner, session, 0);
        // Longer than what Jackson writes at once, and more than one byte a letter.
        String text = "signed, in CBOR \u2603 ".repeat(400);
        owner.message(session, text);
        live.awaitSeq(session, 2);
        WatchSocket late = watching(owner, session, 0);
        late.awaitSeq(session, 2);
        assertEquals(live.appends(session), late.appends(session));
        assertEquals(text, live.appends(session).get(1).at("/event/content").asText());
        assertNotEquals(
                200,
                SignedClient.newAccount(backend.base())
                        .actingFor(owner)
                        .send("ListAgents", Map.of())
                        .status(),
                "a stranger's signature");
    }
}
