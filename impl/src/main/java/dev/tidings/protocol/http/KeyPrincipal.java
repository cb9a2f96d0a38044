package dev.tidings.protocol.http;

import dev.tidings.ApiKey;
import java.security.Principal;

/**
 * Whoever presented a valid API key, as the container hands it on to an endpoint.
 *
 * <p>Threads: immutable.
 *
 * @param key the key, without its secret
 */
public record KeyPrincipal(ApiKey key) implements Principal {

    @Override
    public String getName() {
        return "api-key:" + key.id();
    }
}
