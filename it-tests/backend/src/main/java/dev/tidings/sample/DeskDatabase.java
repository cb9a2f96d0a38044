package dev.tidings.sample;

import dev.tidings.jpa.TidingsDb;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.jspecify.annotations.Nullable;

/**
 * Lends the desk's persistence unit to Tidings, which keeps its tables beside the tickets.
 *
 * <p>Threads: the container's. Public for the container; not API.
 */
@ApplicationScoped
public class DeskDatabase {

    @Produces
    @TidingsDb
    @PersistenceContext(unitName = "desk")
    private @Nullable EntityManager entityManager;
}
