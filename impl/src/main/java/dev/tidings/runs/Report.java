package dev.tidings.runs;

import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
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
            return writer.text(delta);
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

    /** Stores the text so far, so that what follows stands behind it. */
    record Flush() implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.flush();
        }
    }

    /** Ends the message in progress, so that what follows stands behind it. */
    record Settle() implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.endMessage(null);
        }
    }

    record Call(ToolCall call, String entryId) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.toolCall(call, entryId);
        }

        @Override
        public int bytes() {
            return 256 + call.input().size();
        }
    }

    record Result(ToolResult result, String entryId) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.toolResult(result, entryId);
        }

        @Override
        public int bytes() {
            Payload output = result.output();
            String error = result.error();
            return 256 + (output == null ? 0 : output.size()) + (error == null ? 0 : 2 * error.length());
        }
    }

    record Journal(Payload entry, String entryId) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.journal(entry, entryId);
        }

        @Override
        public int bytes() {
            return 256 + entry.size();
        }
    }

    record Progress(String label, @Nullable Double fraction) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            writer.progress(label, fraction);
            return Optional.empty();
        }

        @Override
        public int bytes() {
            return 128 + 2 * label.length();
        }
    }

    record Plan(RunPlan plan) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.plan(plan);
        }

        @Override
        public int bytes() {
            return 128 + plan.steps().size() * 256;
        }
    }

    record Ask(String approvalId, String toolCallId, String name, Payload input) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.ask(this);
        }

        @Override
        public int bytes() {
            return 256 + input.size();
        }
    }

    record Wait(Payload why) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.waiting(why);
        }
    }

    record Resume() implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.resume();
        }
    }

    record Start(Child child) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.start(child);
        }

        @Override
        public int bytes() {
            return 256 + 2 * child.asked().prompt().length();
        }
    }

    record End(Outcome outcome) implements Report {
        @Override
        public Optional<Duration> giveTo(TurnWriter writer) {
            return writer.end(outcome);
        }
    }
}
