package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.StoredEntry;
import dev.tidings.access.KeyPass;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.conversations.FeedTape.Start;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.Query;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.transport.PortableSink;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

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
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("GET")) {
            response.setHeader("Allow", "GET");
            HttpRefusal.METHOD_NOT_ALLOWED.answer(response);
            return;
        }
        boolean stream = acceptsEvents(request);
        Optional<OptionalLong> since = after(request);
        Optional<OptionalLong> limit =
                SeqText.read(Query.parameter(request, "limit").orElse(null));
        long most = limit.orElse(OptionalLong.empty()).orElse(MOST_EVENTS);
        if (since.isEmpty() || limit.isEmpty() || most < 1 || most > MOST_EVENTS) {
            HttpRefusal.BAD_REQUEST.answer(response);
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
        } else if (stream) {
            // The seat is the stream's from here on.
            stream(request, response, new ConversationsSocket.Asked(key, conversation, since.get()), seat);
        } else {
            answer(request, new Asked(key, conversation, since.get().orElse(0), (int) most), seat);
        }
    }

    /** The first of these that is given counts; one that is no number is wrong, whichever counts. */
    private static Optional<OptionalLong> after(HttpServletRequest request) {
        Optional<OptionalLong> after = Optional.of(OptionalLong.empty());
        for (Optional<String> given : List.of(
                Optional.ofNullable(request.getHeader("Last-Event-ID")),
                Query.parameter(request, "since"),
                Query.parameter(request, "lastEventSeq"))) {
            Optional<OptionalLong> number = SeqText.read(given.orElse(null));
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
            int copies = Boolean.TRUE.equals(request.getAttribute(PortableSink.LITTLE)) ? 0 : 1;
            Runnable complete = () -> exchanges.get().complete(context);
            sink = new EventStreamSink(context, response.getOutputStream(), drop, complete, copies);
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
        exchange.atEnd(seat::leave);
        later(exchange, asked, false);
    }

    /** Answers when it is its turn; if the feed has first to be read further, behind that, and no thread waits for it. */
    private void later(HttpExchange exchange, Asked asked, boolean caughtUp) {
        exchanges
                .get()
                .read(
                        () -> {
                            Optional<HttpAnswer> answer = answerIfKnown(asked, caughtUp);
                            if (answer.isPresent()) {
                                exchange.answer(answer.get());
                            } else {
                                var unused = exchanges
                                        .get()
                                        .within(face.get().catchUp().copy(), PATIENCE)
                                        .whenComplete((done, trouble) -> {
                                            if (trouble == null) {
                                                later(exchange, asked, true);
                                            } else {
                                                exchange.answerOnWorker(HttpRefusal.UNAVAILABLE.answer());
                                            }
                                        });
                            }
                        },
                        () -> exchange.answer(HttpRefusal.WORDS.busy()));
    }

    /** Empty if the feed has first to be read further. */
    private Optional<HttpAnswer> answerIfKnown(Asked asked, boolean caughtUp) {
        try (KeyPass pass = face.get().enter(asked.key()).orElse(null)) {
            View view = face.get().view(asked.key(), asked.conversation()).orElse(null);
            if (pass == null) {
                return Optional.of(HttpRefusal.UNAUTHORIZED.answer());
            }
            if (view == null) {
                return Optional.of(HttpRefusal.NOT_FOUND.answer());
            }
            Optional<Start> start = face.get().tape().start(view, OptionalLong.of(asked.since()), caughtUp);
            Optional<byte[]> body = start.map(known -> read(view, known, asked.limit()));
            return pass.gate().isOpen()
                    ? body.map(json -> HttpAnswer.json(200, json).with(Map.of("Cache-Control", "no-store")))
                    : Optional.of(HttpRefusal.UNAUTHORIZED.answer());
        } catch (RuntimeException | Error brokenPort) {
            // Errors as well: the client would wait for ever.
            LOG.log(System.Logger.Level.WARNING, "[conversations] events could not be read");
            return Optional.of(HttpRefusal.UNAVAILABLE.answer());
        }
    }

    private byte[] read(View view, Start start, int limit) {
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
