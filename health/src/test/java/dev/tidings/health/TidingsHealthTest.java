package dev.tidings.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.spi.NodeHealth;
import jakarta.enterprise.inject.Vetoed;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TidingsHealthTest {

    /** A node that is as the test says. */
    @Vetoed
    static final class Node implements NodeHealth {
        private CompletionStage<State> state = CompletableFuture.completedFuture(State.READY);
        private boolean alive = true;

        @Override
        public CompletionStage<State> ready() {
            return state;
        }

        @Override
        public boolean alive() {
            return alive;
        }
    }

    private final Node node = new Node();
    private WeldContainer beans;

    /** As a server finds them: by CDI, from the jar's own beans.xml, by their qualifier. */
    @BeforeEach
    void deploy() {
        HealthCheckResponse.setResponseProvider(new Responses());
        beans = new Weld()
                .disableDiscovery()
                .beanClasses(TidingsReadiness.class, TidingsLiveness.class)
                .addExtension(new jakarta.enterprise.inject.spi.Extension() {
                    void nodes(
                            @jakarta.enterprise.event.Observes jakarta.enterprise.inject.spi.AfterBeanDiscovery found) {
                        found.addBean().addType(NodeHealth.class).createWith(context -> node);
                    }
                })
                .initialize();
    }

    @AfterEach
    void undeploy() {
        beans.close();
        HealthCheckResponse.setResponseProvider(null);
    }

    private HealthCheckResponse ready() {
        return beans.select(HealthCheck.class, Readiness.Literal.INSTANCE).get().call();
    }

    private HealthCheckResponse alive() {
        return beans.select(HealthCheck.class, Liveness.Literal.INSTANCE).get().call();
    }

    @Test
    void readiness_isWhatTheNodeSays() {
        for (NodeHealth.State state : NodeHealth.State.values()) {
            node.state = CompletableFuture.completedFuture(state);
            HealthCheckResponse answer = ready();
            assertEquals("tidings", answer.getName());
            assertEquals(state == NodeHealth.State.READY ? Status.UP : Status.DOWN, answer.getStatus());
            assertEquals(
                    Map.of("state", state.name().toLowerCase(java.util.Locale.ROOT)),
                    answer.getData().orElseThrow());
            assertEquals(Status.UP, alive().getStatus(), "a stop, or a database that is away, is no reason to restart");
        }
    }

    @Test
    void readiness_nodeFails_isDownAndSaysNoMore() {
        node.state = CompletableFuture.failedFuture(new IllegalStateException("s3cret"));
        HealthCheckResponse answer = ready();
        assertEquals(Status.DOWN, answer.getStatus());
        assertEquals(Map.of("state", "unavailable"), answer.getData().orElseThrow());
    }

    @Test
    void liveness_roundsStandStill_isDown() {
        node.alive = false;
        assertEquals(Status.DOWN, alive().getStatus());
    }
}
