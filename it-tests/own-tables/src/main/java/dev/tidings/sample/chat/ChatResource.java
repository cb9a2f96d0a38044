package dev.tidings.sample.chat;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chats over HTTP.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("chats")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class ChatResource {

    @Inject
    private @Nullable Chats chats;

    /** Opens a chat; gives its id. */
    @POST
    public String open(@QueryParam("owner") String owner, @QueryParam("title") String title) {
        return chats().open(owner, title).id();
    }

    /** Says something; gives its number. */
    @POST
    @Path("{chat}/lines")
    public String say(
            @PathParam("chat") String chat, @QueryParam("speaker") String speaker, @QueryParam("words") String words) {
        return Long.toString(chats().say(chat, speaker, words).number());
    }

    /** Says something and changes its mind. */
    @POST
    @Path("{chat}/withdrawn")
    @Transactional
    public String sayAndWithdraw(@PathParam("chat") String chat, @QueryParam("words") String words) {
        chats().say(chat, "nobody", words);
        throw new IllegalStateException("changed its mind");
    }

    private Chats chats() {
        return Objects.requireNonNull(chats);
    }
}
