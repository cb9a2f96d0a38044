package dev.tidings.runs;

import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;

/** How a run ends. */
sealed interface Outcome {

    RunStatus run();

    /** What its session is afterwards. */
    SessionStatus session();

    record Succeeded() implements Outcome {
        @Override
        public RunStatus run() {
            return RunStatus.SUCCEEDED;
        }

        @Override
        public SessionStatus session() {
            return SessionStatus.IDLE;
        }
    }

    record Canceled() implements Outcome {
        @Override
        public RunStatus run() {
            return RunStatus.CANCELED;
        }

        @Override
        public SessionStatus session() {
            return SessionStatus.IDLE;
        }
    }

    /**
     * By an error.
     *
     * @param code a stable word
     * @param publicText what people read
     */
    record Failed(String code, String publicText) implements Outcome {

        /** Whatever a runner threw that is not meant for people: nothing of it is told. */
        static final Failed INTERNAL = new Failed("internal_error", "The agent could not finish its answer.");

        static final Failed INTERRUPTED =
                new Failed("interrupted_by_restart", "The server stopped before the answer was finished.");

        static final Failed NOT_STORED = new Failed("not_stored", "The answer could not be stored.");

        static final Failed NO_THREAD = new Failed("overloaded", "The server is too busy to answer.");

        static final Failed TOO_LARGE =
                new Failed("message_too_large", "The answer is longer than this server allows.");

        static final Failed NO_AGENT = new Failed("agent_not_found", "The agent is not there any more.");

        public Failed {
            code = WholeText.repaired(code);
            publicText = WholeText.repaired(publicText);
        }

        @Override
        public RunStatus run() {
            return RunStatus.FAILED;
        }

        @Override
        public SessionStatus session() {
            return SessionStatus.ERROR;
        }
    }
}
