package dev.tidings.servers.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.servers.DeployedContract;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An application that allows messages of two gigabytes, for which a container may set aside as much for each socket, is not
 * deployed, and who deploys it is told the key.
 *
 * <p>Threads: one. The two deployments are the subclass's: {@link #beside}, which stays, and {@link #absurd}, which it does
 * not deploy itself.
 */
public abstract class AbsurdLimitContract extends DeployedContract {

    /** The name of the deployment that fails. */
    protected static final String ABSURD = "absurd";

    private static final String KEY = "tidings.agents.max-message-bytes";

    @ArquillianResource
    private @Nullable Deployer deployer;

    /** An application that has nothing to do with it. */
    protected static WebArchive beside() {
        return ShrinkWrap.create(WebArchive.class, "beside-absurd.war")
                .addAsWebResource(new StringAsset("here"), "index.html");
    }

    /** The sample backend with a limit that no server can keep. */
    protected static WebArchive absurd() {
        return Backend.war("absurd.war")
                .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                        .addAsManifestResource(
                                new StringAsset(KEY + "=" + Integer.MAX_VALUE + "\n"),
                                "microprofile-config.properties"));
    }

    /** Tries to deploy the second, which fails, and gives what whoever deploys it is told. */
    protected String refusal() {
        Exception refused = assertThrows(
                Exception.class, () -> Objects.requireNonNull(deployer).deploy(ABSURD));
        StringWriter told = new StringWriter();
        refused.printStackTrace(new PrintWriter(told));
        return told.toString();
    }

    @Test
    void application_withALimitOfTwoGigabytes_isNotDeployedAndTheKeyIsNamed() {
        String told = refusal();
        assertTrue(told.contains(KEY), told);
        Backend neighbour = new Backend(deployment());
        assertEquals("here", neighbour.get("/index.html"));
        int status = Backend.statusOf(neighbour.base().resolve("/" + ABSURD + "/agents/api/health"));
        assertEquals(404, status);
    }
}
