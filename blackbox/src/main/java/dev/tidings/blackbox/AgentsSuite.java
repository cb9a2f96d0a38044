package dev.tidings.blackbox;

import java.net.URI;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What any server must do for a client of the Agents API, seen from outside. The server answers with the demo agent.
 *
 * <p>Each test has accounts of its own, so that most may run side by side where JUnit is told to do so. Those that count what is
 * sent on the way have the server for themselves: what comes late is joined with what came after it.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class AgentsSuite {
    /** Locked by tests that need a server with time for them; shared by those that may run beside others. */
    static final String SERVER = "a server that has time";

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    /** How a turn is shown, from the message to its end. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class Turn extends TurnSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Law 1: whoever joins gets exactly what is behind its cursor, in order, once. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class Replay extends ReplaySuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Who may do and see what, and when that ends. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class Access extends AccessSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A5: who gets how many copies of what. */
    @Nested
    @ResourceLock(SERVER)
    class FanOut extends FanOutSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Law 9: a refusal answers and leaves the socket usable; limits and sizes. One of them has the server for itself. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Refusal extends RefusalSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Keys that act for an account. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class Signers extends SignerSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Run trees: journals, progress, children, plans, and runs that wait. */
    @Nested
    @ResourceLock(SERVER)
    class RunTrees extends RunTreeSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A8: what a client gets more that offers {@code tidings.v2}. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class SecondVersion extends SecondVersionSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A9: each action, who may do it, and that it is done once. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class Actions extends ActionsSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A5: how many copies everybody gets of what a tree of runs shows in the end, however much was joined before. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    class TreeCopies extends TreeCopiesSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }

    /** Protocols A5: how many copies everybody gets of everything else. */
    @Nested
    @ResourceLock(SERVER)
    class Copies extends CopiesSuite {
        @Override
        URI base() {
            return AgentsSuite.this.base();
        }
    }
}
