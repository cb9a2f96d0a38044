package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.spi.Directory.RunQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what runs before its session or agent is deleted, so that each run ends with an event of its own. What begins in
 * between, or takes too long to end, is cut off by the deletion.
 */
final class LiveRuns {
    private static final System.Logger LOG = System.getLogger(LiveRuns.class.getName());
    private static final int AT_ONCE = 200;
    private static final int ROUNDS = 10;

    /** Those that wait for their turn first: else the end of one begins the next. */
    private static final List<RunStatus> LIVE =
            List.of(RunStatus.QUEUED, RunStatus.WAITING, RunStatus.CLAIMED, RunStatus.RUNNING);

    private LiveRuns() {}

    static void cancelOfSession(AgentsHttpPorts ports, String sessionId) {
        LIVE.forEach(status -> cancel(ports, sessionId, null, status));
    }

    static void cancelOfAgent(AgentsHttpPorts ports, String agentId) {
        LIVE.forEach(status -> cancel(ports, null, agentId, status));
    }

    private static void cancel(
            AgentsHttpPorts ports, @Nullable String sessionId, @Nullable String agentId, RunStatus status) {
        for (int round = 0; round < ROUNDS; round++) {
            List<RunInfo> live = ports.directory().runs(new RunQuery(null, sessionId, agentId, status, AT_ONCE));
            boolean any = false;
            for (RunInfo run : live) {
                any |= cancelled(ports, run.id());
            }
            if (!any) {
                return;
            }
        }
    }

    private static boolean cancelled(AgentsHttpPorts ports, String runId) {
        try {
            return ports.runs().cancel(runId);
        } catch (RuntimeException notYet) {
            LOG.log(System.Logger.Level.DEBUG, "a run has not ended yet and is cut off");
            return false;
        }
    }
}
