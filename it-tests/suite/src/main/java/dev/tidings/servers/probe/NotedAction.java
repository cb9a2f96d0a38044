package dev.tidings.servers.probe;

import dev.tidings.envelope.CborValue;
import dev.tidings.protocol.agents.ActionCall;
import dev.tidings.protocol.agents.ActionHandler;
import dev.tidings.protocol.agents.ActionReply;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An action in place of a built-in one, which notes its calls. Threads: any. Public for the container; not API. */
@ApplicationScoped
public class NotedAction implements ActionHandler {

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public String name() {
        return "ListAgentInvites";
    }

    @Override
    public CompletionStage<ActionReply> handle(ActionCall call) {
        Objects.requireNonNull(diary).note("ActionHandler");
        return ActionReply.of("invites", CborValue.list(List.of())).now();
    }
}
