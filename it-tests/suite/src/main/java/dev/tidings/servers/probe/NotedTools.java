package dev.tidings.servers.probe;

import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.spi.SessionTools;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tools for people, which note their calls. Threads: any. Public for the container; not API. */
@ApplicationScoped
public class NotedTools implements SessionTools {

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public Payload invoke(SessionInfo session, String accountId, String verb, Payload input) {
        Objects.requireNonNull(diary).note("SessionTools");
        return Payload.of("{\"ok\":true}");
    }
}
