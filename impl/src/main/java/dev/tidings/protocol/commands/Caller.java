package dev.tidings.protocol.commands;

import dev.tidings.ApiKey;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.KeyPrincipal;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who talks to the face.
 *
 * <p>Threads: immutable.
 */
sealed interface Caller {

    /** By what its sockets are counted. */
    String name();

    /** Whoever holds an API key. */
    record ByKey(ApiKey key) implements Caller {
        @Override
        public String name() {
            return "key/" + key.id();
        }
    }

    /** Somebody whom the container knows. */
    record ByAccount(String account) implements Caller {
        @Override
        public String name() {
            return account;
        }
    }

    /** Anybody on this machine. */
    record Anybody() implements Caller {
        @Override
        public String name() {
            return "anybody";
        }
    }

    /** Whom the door let in, as the container hands it on; empty if it did not hand it on. */
    static Optional<Caller> of(Auth auth, @Nullable Principal principal) {
        return switch (auth) {
            case NONE -> Optional.of(new Anybody());
            case CONTAINER -> Optional.ofNullable(principal).map(known -> new ByAccount(known.getName()));
            case API_KEY ->
                principal instanceof KeyPrincipal known ? Optional.of(new ByKey(known.key())) : Optional.empty();
        };
    }
}
