package dev.tidings.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The sample backend does its own work in a server: its entity, its transactions, its REST paths, its libraries.
 *
 * <p>Threads: one.
 */
@ExtendWith(ArquillianExtension.class)
public abstract class SampleBackendContract {

    @ArquillianResource
    private @Nullable URL base;

    private @Nullable BackendClient backend;

    /** The WAR as it was built, with what the tests need to look inside. */
    @Deployment(testable = false)
    public static WebArchive war() {
        String war = Objects.requireNonNull(System.getProperty("backend.war"), "backend.war");
        return ShrinkWrap.createFromZipFile(WebArchive.class, new File(war))
                .addClasses(
                        LibrariesServlet.class, TroubleResource.class, ProbeResource.class, ProbeResource.Watch.class);
    }

    @BeforeEach
    void connect() throws URISyntaxException {
        URI uri = Objects.requireNonNull(base).toURI();
        assertEquals("127.0.0.1", uri.getHost());
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        backend = new BackendClient(http, uri);
    }

    @Test
    void probe() throws Exception {
        String s = UUID.randomUUID().toString();
        String p = "desk/sessions/" + s + "/";
        System.out.println(backend().post(p + "probe", Map.of()).statusCode());
        System.out.println(
                backend().post(p + "trouble/exception?subject=ex", Map.of()).statusCode());
        System.out.println(
                backend().post(p + "tickets", Map.of("subject", "one")).statusCode());
        System.out.println(
                backend().post(p + "trouble/rollback-only?subject=ro", Map.of()).statusCode());
        System.out.println(backend()
                .post(p + "trouble/several?subject=sev&count=4", Map.of())
                .statusCode());
        System.out.println(backend()
                .post("desk/sessions/unknown/tickets", Map.of("subject", "one"))
                .statusCode());
        System.out.println(backend().text(p + "probe"));
        System.out.println(backend().text(p + "tickets"));
    }

    @Test
    void ticket_opened_isListed() throws Exception {
        String session = UUID.randomUUID().toString();

        HttpResponse<String> opened =
                backend().post("desk/sessions/" + session + "/tickets", Map.of("subject", "No light"));

        assertEquals(200, opened.statusCode(), opened.body());
        assertEquals(
                List.of("No light"),
                backend().json("desk/sessions/" + session + "/tickets").findValuesAsText("subject"));
    }

    /** Which jar wins is a fact of the server; here it is written down, so that a change is noticed. */
    @Test
    void codecClasses_bundledBesideTheServersOwn_comeFromKnownJars() throws Exception {
        assertContains("/jackson-dataformat-cbor-", jarOf("com.fasterxml.jackson.dataformat.cbor.CBORFactory"));
        assertContains("/bcprov-jdk18on-", jarOf("org.bouncycastle.math.ec.rfc8032.Ed25519"));
        assertContains(jacksonCoreJar(), jarOf("com.fasterxml.jackson.core.JsonFactory"));
    }

    /** A part of the path of the jar from which {@code jackson-core} comes. */
    protected abstract String jacksonCoreJar();

    private static void assertContains(String part, String whole) {
        assertTrue(whole.contains(part), whole);
    }

    private String jarOf(String type) throws Exception {
        return backend().text("libraries?class=" + type);
    }

    private BackendClient backend() {
        return Objects.requireNonNull(backend);
    }
}
