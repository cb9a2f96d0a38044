package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.access.KeyPass;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.conversations.FeedTape.Start;
import dev.tidings.protocol.http.Accept;
import dev.tidings.protocol.http.FaceServlet;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.Query;
import dev.tidings.protocol.http.Refused;
import dev.tidings.transport.PortableSink;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET …/events/recent}: events as one answer, or, for whoever accepts {@code text/event-stream}, as they come. Public
 * for the container; not API. Without an annotation: its path is configured.
 *
 * <p>Threads: as any servlet. Source: protocols B.
 */
public class RecentEventsServlet extends FaceServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(RecentEventsServlet.class.getName());
    private static final int MOST_EVENTS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(10);

    // Not before the first request: while the face is switched off there is none.
    @Inject
    private transient Provider<ConversationsFace> face;

    @Inject
    private transient Provider<HttpExchanges> exchanges;

    /** What one answer shows. */
    private record Asked(ApiKey key, Optional<String> conversation, long since, int limit) {}

    /** For the container, which injects the rest. */
    public RecentEventsServlet() {}

    @Override
    protected List<String> methods(HttpServletRequest request) {
        return List.of("GET");
    }

    @Override
    protected void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        OptionalLong since;
        int limit;
        try {
            since = after(request);
            limit = (int) Query.number(request, "limit", 1, MOST_EVENTS).orElse(MOST_EVENTS);
        } catch (Refused wrong) {
            wrong.refusal().answer(response);
            return;
        }
        ApiKey key = ConversationsFilter.keyOrNull(request);
        Optional<String> conversation = Query.parameter(request, "conversationId");
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
        } else if (Accept.of(request).prefers("text/event-stream", "application/json")) {
            // The seat is the stream's from here on.
            stream(request, response, new ConversationsSocket.Asked(key, conversation, since), seat);
        } else {
            answer(request, new Asked(key, conversation, since.orElse(0), limit), seat);
        }
    }

    /** The first of these that is given counts; one that is no number is wrong, whichever counts. */
    private static OptionalLong after(HttpServletRequest request) throws Refused {
        OptionalLong after = Query.number(request.getHeader("Last-Event-ID"), 0, Query.MOST);
        for (String name : List.of("since", "lastEventSeq")) {
            OptionalLong number = Query.number(request, name, 0, Query.MOST);
            after = after.isPresent() ? after : number;
        }
        return after;
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
            int copies = Boolean.TRUE.equals(request.getAttribute(PortableSink.LITTLE)) ? 0 : 1;
            sink = new EventStreamSink(
                    context, response.getOutputStream(), drop, exchanges.get().departure(context), copies);
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

    /** Holds the seat until the answer was taken. */
    private void answer(HttpServletRequest request, Asked asked, Admission.Seat seat) {
        HttpExchange exchange;
        boolean begun = false;
        try {
            exchange = exchanges.get().begin(request, LONGEST_ANSWER, HttpRefusal.WORDS);
            begun = true;
        } finally {
            if (!begun) {
                seat.leave();
            }
        }
        Work work = new Work(asked);
        exchange.atEnd(() -> {
            work.over = true;
            seat.leave();
        });
        later(exchange, work);
    }

    /** An answer that is being made. */
    private static final class Work {
        final Asked asked;
        // Confined: the turn. The next also.
        @Nullable
        RecentEvents events;

        boolean caughtUp;
        // Volatile: set by whoever ends the exchange, read by the turn.
        volatile boolean over;

        Work(Asked asked) {
            this.asked = asked;
        }
    }

    /**
     * Answers when it is its turn, or goes on at the end of the line; if the feed has first to be read further, behind that, and
     * no thread waits for it.
     */
    private void later(HttpExchange exchange, Work work) {
        exchanges
                .get()
                .read(
                        () -> {
                            Optional<HttpAnswer> answer = answerIfDone(work);
                            if (answer.isPresent()) {
                                exchange.answer(answer.get());
                            } else if (work.events != null) {
                                later(exchange, work);
                            } else {
                                var unused = exchanges
                                        .get()
                                        .within(face.get().catchUp().copy(), PATIENCE)
                                        .whenComplete((done, trouble) -> {
                                            if (trouble == null) {
                                                work.caughtUp = true;
                                                later(exchange, work);
                                            } else {
                                                exchange.answerOnWorker(HttpRefusal.UNAVAILABLE.answer());
                                            }
                                        });
                            }
                        },
                        () -> exchange.answer(HttpRefusal.WORDS.busy()));
    }

    /** Empty if there is more to read: of the feed before anything can be told, or of what is told. */
    private Optional<HttpAnswer> answerIfDone(Work work) {
        if (work.over) {
            return Optional.of(HttpRefusal.UNAVAILABLE.answer());
        }
        Asked asked = work.asked;
        try (KeyPass pass = face.get().enter(asked.key()).orElse(null)) {
            View view = face.get().view(asked.key(), asked.conversation()).orElse(null);
            if (pass == null) {
                return Optional.of(HttpRefusal.UNAUTHORIZED.answer());
            }
            if (view == null) {
                return Optional.of(HttpRefusal.NOT_FOUND.answer());
            }
            RecentEvents events = work.events;
            if (events == null) {
                FeedTape tape = face.get().tape();
                Start start = tape.start(view, OptionalLong.of(asked.since()), work.caughtUp)
                        .orElse(null);
                if (start == null) {
                    return Optional.empty();
                }
                events = new RecentEvents(tape, view, start, asked.limit());
                work.events = events;
            }
            boolean done = events.readOn();
            if (!pass.gate().isOpen()) {
                return Optional.of(HttpRefusal.UNAUTHORIZED.answer());
            }
            return done
                    ? Optional.of(HttpAnswer.json(200, events.json()).with(Map.of("Cache-Control", "no-store")))
                    : Optional.empty();
        } catch (RuntimeException | Error brokenPort) {
            // Errors as well: the client would wait for ever.
            LOG.log(System.Logger.Level.WARNING, "[conversations] events could not be read");
            return Optional.of(HttpRefusal.UNAVAILABLE.answer());
        }
    }
}
