package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.StoredEntry;
import dev.tidings.access.KeyPass;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.conversations.FeedTape.Start;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.transport.PortableSink;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET …/events/recent}: events as one answer, or, for whoever accepts {@code text/event-stream}, as they come. Public
 * for the container; not API. Without an annotation: its path is configured.
 *
 * <p>Threads: as any servlet. Source: protocols B.
 */
public class RecentEventsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(RecentEventsServlet.class.getName());
    private static final int MOST_EVENTS = 2_000;
    private static final int PAGE_ENTRIES = 256;
    private static final int PAGE_BYTES = 256 << 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final long PATIENCE_SECONDS = 10;

    // Not before the first request: while the face is switched off there is none.
    @Inject
    private transient Provider<ConversationsFace> face;

    /** For the container, which injects the rest. */
    public RecentEventsServlet() {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("GET")) {
            response.setHeader("Allow", "GET");
            HttpRefusal.METHOD_NOT_ALLOWED.answer(response);
            return;
        }
        boolean stream = acceptsEvents(request);
        Optional<OptionalLong> since = after(request);
        Optional<OptionalLong> limit = SeqText.read(request.getParameter("limit"));
        long most = limit.orElse(OptionalLong.empty()).orElse(MOST_EVENTS);
        if (since.isEmpty() || limit.isEmpty() || most < 1 || most > MOST_EVENTS) {
            HttpRefusal.BAD_REQUEST.answer(response);
            return;
        }
        ApiKey key = ConversationsFilter.keyOrNull(request);
        Optional<String> conversation = Optional.ofNullable(request.getParameter("conversationId"));
        Optional<HttpRefusal> refusal = ConversationsFilter.refusal(face.get(), key, conversation);
        if (refusal.isPresent() || key == null) {
            refusal.orElse(HttpRefusal.UNAUTHORIZED).answer(response);
            return;
        }
        Admission.Seat seat = face.get().enter(request.getRemoteAddr());
        if (!seat.admitted() || !seat.bind(ConversationsSocket.seatOf(key))) {
            seat.leave();
            face.get().refused(HttpRefusal.TOO_MANY_CONNECTIONS.code());
            HttpRefusal.TOO_MANY_CONNECTIONS.answer(response);
        } else if (stream) {
            // The seat is the stream's from here on.
            stream(request, response, new ConversationsSocket.Asked(key, conversation, since.get()), seat);
        } else {
            try {
                answer(response, key, conversation, since.get().orElse(0), (int) most);
            } finally {
                seat.leave();
            }
        }
    }

    /** The first of these that is given counts; one that is no number is wrong, whichever counts. */
    private static Optional<OptionalLong> after(HttpServletRequest request) {
        Optional<OptionalLong> after = Optional.of(OptionalLong.empty());
        for (String given : Arrays.asList(
                request.getHeader("Last-Event-ID"),
                request.getParameter("since"),
                request.getParameter("lastEventSeq"))) {
            Optional<OptionalLong> number = SeqText.read(given);
            if (number.isEmpty()) {
                return number;
            }
            after = after.get().isPresent() ? after : number;
        }
        return after;
    }

    private static boolean acceptsEvents(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream");
    }

    private void stream(
            HttpServletRequest request,
            HttpServletResponse response,
            ConversationsSocket.Asked asked,
            Admission.Seat seat)
            throws IOException {
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        EventStreamSink sink;
        boolean begun = false;
        try {
            AsyncContext context = request.startAsync();
            context.setTimeout(0);
            Runnable drop = request.getAttribute(PortableSink.ABORT) instanceof Runnable known ? known : () -> {};
            sink = new EventStreamSink(context, response.getOutputStream(), drop);
            begun = true;
        } finally {
            if (!begun) {
                seat.leave();
            }
        }
        ConversationsFace shared = face.get();
        ConversationsSocket socket = shared.open(sink, Wire.EVENT_STREAM, asked, seat);
        sink.begin(socket::heard, () -> shared.closed(socket));
    }

    private void answer(HttpServletResponse response, ApiKey key, Optional<String> conversation, long since, int limit)
            throws IOException {
        byte @Nullable [] body;
        try (KeyPass pass = face.get().enter(key).orElse(null)) {
            View view = pass == null ? null : face.get().view(key, conversation).orElse(null);
            body = view == null ? null : read(view, since, limit);
            if (pass == null || !pass.gate().isOpen()) {
                HttpRefusal.UNAUTHORIZED.answer(response);
                return;
            }
            if (body == null) {
                HttpRefusal.NOT_FOUND.answer(response);
                return;
            }
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[conversations] events could not be read");
            HttpRefusal.UNAVAILABLE.answer(response);
            return;
        }
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private Start start(View view, OptionalLong since) {
        Optional<Start> start = face.get().tape().start(view, since, false);
        if (start.isPresent()) {
            return start.get();
        }
        try {
            face.get().catchUp().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the feed was read");
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the feed cannot be read now");
        }
        return face.get().tape().start(view, since, true).orElseThrow();
    }

    private byte[] read(View view, long since, int limit) {
        Start start = start(view, OptionalLong.of(since));
        StringBuilder events = new StringBuilder("[");
        long position = start.position();
        int count = 0;
        while (count < limit && events.length() < MOST_BYTES) {
            List<StoredEntry> page = face.get().tape().read(view.key(), position, PAGE_ENTRIES, PAGE_BYTES);
            if (page.isEmpty()) {
                break;
            }
            for (StoredEntry entry : page) {
                position = entry.position();
                if (FeedTape.shows(entry) && count < limit) {
                    events.append(count++ == 0 ? "" : ",")
                            .append(entry.payload().text());
                }
            }
        }
        return JsonText.object()
                .json("events", events.append(']').toString())
                .number("latestSeq", face.get().tape().latestSeq())
                .flag("truncated", start.oldestSeq().isPresent())
                .close()
                .bytes();
    }
}
