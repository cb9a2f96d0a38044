package dev.tidings.protocol.http;

import dev.tidings.ApiKey;
import dev.tidings.access.KeyAccess;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who is let in at a face; a filter of the face asks it before any upgrade.
 *
 * <p>Whoever presented a valid key goes on as a {@link KeyPrincipal}. Preflights of pages that are allowed are answered
 * here.
 *
 * <p>Threads: any. Source: protocols B and C.
 */
public final class FaceDoor {
    private static final System.Logger LOG = System.getLogger(FaceDoor.class.getName());

    private final boolean enabled;
    private final Auth auth;
    private final Origins origins;
    private final Supplier<KeyAccess> keys;

    /**
     * A door.
     *
     * @param enabled whether the face is served at all
     * @param keys asked for only with {@link Auth#API_KEY}, by the first request that has to show one
     */
    public FaceDoor(boolean enabled, Auth auth, Origins origins, Supplier<KeyAccess> keys) {
        this.enabled = enabled;
        this.auth = auth;
        this.origins = origins;
        this.keys = keys;
    }

    /** Whether the face is served at all. */
    public boolean enabled() {
        return enabled;
    }

    /** How the face knows who comes. */
    public Auth auth() {
        return auth;
    }

    /** Lets a request through to the chain, or answers it. */
    public void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<HttpRefusal> refusal = place(request);
        if (refusal.isPresent()) {
            refusal.get().answer(response);
            return;
        }
        String origin = request.getHeader("Origin");
        if (origin != null) {
            response.setHeader("Access-Control-Allow-Origin", origin);
            response.setHeader("Vary", "Origin");
            if (request.getMethod().equals("OPTIONS")) {
                response.setHeader("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
                response.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type");
                response.setStatus(HttpServletResponse.SC_NO_CONTENT);
                return;
            }
        }
        if (auth == Auth.API_KEY) {
            Optional<ApiKey> key;
            try {
                key = PresentedKey.of(request).flatMap(keys.get()::check);
            } catch (RuntimeException brokenPort) {
                LOG.log(System.Logger.Level.WARNING, "an API key could not be looked up");
                HttpRefusal.UNAVAILABLE.answer(response);
                return;
            }
            if (key.isEmpty()) {
                HttpRefusal.UNAUTHORIZED.answer(response);
            } else {
                chain.doFilter(new ByKey(request, new KeyPrincipal(key.get())), response);
            }
        } else if (auth == Auth.CONTAINER && request.getUserPrincipal() == null) {
            HttpRefusal.LOGIN_REQUIRED.answer(response);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Where the request comes from and goes to. */
    private Optional<HttpRefusal> place(HttpServletRequest request) {
        if (!enabled) {
            return Optional.of(HttpRefusal.NOT_FOUND);
        }
        String host = Optional.ofNullable(request.getHeader("Host")).orElse("");
        if (auth == Auth.NONE && !Origins.isLoopback(host)) {
            return Optional.of(HttpRefusal.FORBIDDEN_HOST);
        }
        List<String> told = Collections.list(request.getHeaders("Origin"));
        boolean admitted =
                told.isEmpty() ? isOfNoOtherSite(request) : told.size() == 1 && origins.admits(told.get(0), host);
        return admitted ? Optional.empty() : Optional.of(HttpRefusal.FORBIDDEN_ORIGIN);
    }

    /** Where a browser tells no origin, such as for a script or an image, it still tells whether the page is of another site. */
    private static boolean isOfNoOtherSite(HttpServletRequest request) {
        return Collections.list(request.getHeaders("Sec-Fetch-Site")).stream()
                .allMatch(site -> site.equals("same-origin") || site.equals("none"));
    }

    /** A request with the principal that its key stands for; containers hand that on to the endpoint of a socket. */
    private static final class ByKey extends HttpServletRequestWrapper {
        private final KeyPrincipal principal;

        ByKey(HttpServletRequest request, KeyPrincipal principal) {
            super(request);
            this.principal = principal;
        }

        @Override
        public Principal getUserPrincipal() {
            return principal;
        }

        @Override
        public String getRemoteUser() {
            return principal.getName();
        }
    }
}
