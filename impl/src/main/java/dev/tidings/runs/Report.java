package dev.tidings.runs;

import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that the writer of a run has to do, in the order in which it was reported. */
sealed interface Report {

    /** Does it: empty if it is done, else how long to wait before the same report is given again. */
    Optional<Duration> giveTo(TurnWriter writer);

    /** How many bytes of memory it holds while it waits. */
    default int bytes() {
        return 64;
    }

    record Begin() implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            writer.begin();
            return Optional.empty();
        }
    }

    record Text(String delta) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            writer.text(delta);
            return Optional.empty();
        }

        @Override
        public int bytes() {
            return 64 + 2 * delta.length();
        }
    }

    record Activity(RunActivity activity) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            writer.activity(activity);
            return Optional.empty();
        }

        @Override
        public int bytes() {
            String tail = activity.outputTail();
            return 256 + (tail == null ? 0 : 2 * tail.length());
        }
    }

    record Usage(RunUsage usage) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            writer.usage(usage);
            return Optional.empty();
        }
    }

    record EndMessage(@Nullable Payload meta) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.endMessage(meta);
        }

        @Override
        public int bytes() {
            return 64 + (meta == null ? 0 : meta.size());
        }
    }

    record End(Outcome outcome) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.end(outcome);
        }
    }
}
