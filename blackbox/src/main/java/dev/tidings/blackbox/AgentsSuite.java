package dev.tidings.blackbox;

import java.net.URI;
import org.junit.jupiter.api.Nested;

/**
 * What any server must do for a client of the Agents API, seen from outside. The server answers with the demo agent.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class AgentsSuite {

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    /** How a turn is shown, from the message to its end. */
    @Nested
    class Turn extends TurnSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Law 1: whoever joins gets exactly what is behind its cursor, in order, once. */
    @Nested
    class Replay extends ReplaySuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Who may do and see what, and when that ends. */
    @Nested
    class Access extends AccessSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A5: who gets how many copies of what. */
    @Nested
    class FanOut extends FanOutSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Law 9: a refusal answers and leaves the socket usable; limits and sizes. */
    @Nested
    class Refusal extends RefusalSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Keys that act for an account. */
    @Nested
    class Signers extends SignerSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }
}
