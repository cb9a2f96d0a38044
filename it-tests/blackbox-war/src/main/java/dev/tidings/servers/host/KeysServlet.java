package dev.tidings.servers.host;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.spi.ApiKeysWriter;
import dev.tidings.spi.Transactions;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes and revokes API keys for whoever asks, which only a test's own server may do: {@code POST /keys?session=…} answers
 * with a key, {@code DELETE /keys?id=…} revokes one.
 *
 * <p>Threads: many. Public for the container; not API.
 */
@WebServlet("/keys")
public class KeysServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject
    private transient @Nullable ApiKeysWriter writer;

    @Inject
    private transient @Nullable Transactions transactions;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String session = request.getParameter("session");
        ApiKeyScope scope = session == null ? new ApiKeyScope.All() : new ApiKeyScope.OfSession(session);
        ApiKeySecret secret = ApiKeySecret.random();
        ApiKey key = new ApiKey(secret.id(), "a test", scope, System.currentTimeMillis());
        transactions().run(() -> writer().create(key, secret.sha256()));
        response.setContentType("text/plain");
        response.getWriter().print(secret.text());
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String id = request.getParameter("id");
        if (id == null || !transactions().required(() -> writer().revoke(id))) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }

    private ApiKeysWriter writer() {
        return Objects.requireNonNull(writer);
    }

    private Transactions transactions() {
        return Objects.requireNonNull(transactions);
    }
}
