package dev.tidings.protocol.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request and its response, made by hand. Threads: one. */
final class HandRequest {
    String method = "GET";

    @Nullable
    String query;

    @Nullable
    Principal principal;

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    final Map<String, String> answered = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int status = 200;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    HandRequest header(String name, String value) {
        headers.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
        return this;
    }

    String body() {
        return body.toString(StandardCharsets.UTF_8);
    }

    HttpServletRequest request() {
        return proxy(HttpServletRequest.class, (name, arguments) -> switch (name) {
            case "getMethod" -> method;
            case "getQueryString" -> query;
            case "getUserPrincipal" -> principal;
            case "getHeader" -> {
                List<String> values = headers.get(arguments[0]);
                yield values == null ? null : values.get(0);
            }
            case "getHeaders" -> Collections.enumeration(headers.getOrDefault(arguments[0], List.of()));
            default -> throw new UnsupportedOperationException(name);
        });
    }

    HttpServletResponse response() {
        return proxy(HttpServletResponse.class, (name, arguments) -> {
            switch (name) {
                case "setStatus" -> status = (Integer) arguments[0];
                case "setHeader" -> answered.put((String) arguments[0], (String) arguments[1]);
                case "setContentType" -> answered.put("Content-Type", (String) arguments[0]);
                case "setContentLength" -> answered.put("Content-Length", arguments[0].toString());
                case "getOutputStream" -> {
                    return new Output(body);
                }
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        });
    }

    private interface Answering {
        @Nullable
        Object answer(String name, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answering answering) {
        return type.cast(Proxy.newProxyInstance(
                HandRequest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        answering.answer(method.getName(), arguments == null ? new Object[0] : arguments)));
    }

    private static final class Output extends ServletOutputStream {
        private final ByteArrayOutputStream body;

        Output(ByteArrayOutputStream body) {
            this.body = body;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(int b) {
            body.write(b);
        }
    }
}
