package dev.tidings.servers.probe;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows the diary. Threads: one request each. Public for the container; not API. */
@Path("diary")
@RequestScoped
public class DiaryResource {

    @Inject
    private @Nullable PortDiary diary;

    /** All of it. */
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String read() {
        return Objects.requireNonNull(diary).read().toString();
    }
}
