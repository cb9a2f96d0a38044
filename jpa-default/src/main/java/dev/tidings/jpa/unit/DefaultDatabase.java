package dev.tidings.jpa.unit;

import dev.tidings.jpa.TidingsDb;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives Tidings the unit {@code tidings} of this jar. A WAR holds this jar or a producer of its own, not both.
 *
 * <p>Threads: the container's. Public for the container; not API.
 */
@ApplicationScoped
public class DefaultDatabase {

    @Produces
    @TidingsDb
    @PersistenceContext(unitName = "tidings")
    private @Nullable EntityManager entityManager;
}
