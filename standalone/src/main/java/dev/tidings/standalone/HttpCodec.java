package dev.tidings.standalone;

import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.MemoryManager;

/**
 * Grizzly's HTTP codec, but no upgrade other than to WebSocket takes a request's body away, and a target that cannot be
 * decoded is a path that nobody has.
 *
 * <p>Clients that try for HTTP/2 (Java's by default) ask for {@code Upgrade: h2c} along with an ordinary request; Grizzly
 * would then take the body for the bytes of the other protocol. A server may ignore such a wish (RFC 9110, 7.8).
 */
final class HttpCodec extends HttpServerFilter {
    @SuppressWarnings("deprecation") // Grizzly's server itself uses it; all its constructors are deprecated
    HttpCodec(NetworkListener listener) {
        super(
                listener.isChunkingEnabled(),
                listener.getMaxHttpHeaderSize() < 0
                        ? DEFAULT_MAX_HTTP_PACKET_HEADER_SIZE
                        : listener.getMaxHttpHeaderSize(),
                null, // no type for a response that has none
                listener.getKeepAlive(),
                null, // idle connections are another filter's business
                listener.getMaxRequestHeaders(),
                listener.getMaxResponseHeaders());
    }

    @Override
    protected void onIncomingUpgrade(FilterChainContext context, HttpHeader header) {
        if ("websocket".equalsIgnoreCase(header.getUpgrade())) {
            super.onIncomingUpgrade(context, header);
        } else {
            header.getUpgradeDC().recycle();
        }
    }

    /** What is no request gets an answer like any other that is wrong. */
    @Override
    protected HttpContent customizeErrorResponse(HttpResponsePacket response) {
        byte[] body = ErrorAnswers.body(response.getStatus());
        response.setContentType(ErrorAnswers.CONTENT_TYPE);
        response.setContentLength(body.length);
        return HttpContent.builder(response)
                .content(Buffers.wrap(MemoryManager.DEFAULT_MEMORY_MANAGER, body))
                .last(true)
                .build();
    }

    /** What cannot be decoded is nowhere: 404, where Grizzly would say 500. */
    @Override
    protected void onInitialLineParsed(HttpHeader header, FilterChainContext context) {
        super.onInitialLineParsed(header, context);
        if (header instanceof HttpRequestPacket request && !RequestTarget.isSane(request.getRequestURI())) {
            request.setRequestURI(RequestTarget.NOWHERE);
        }
    }
}
