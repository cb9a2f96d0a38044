/**
 * The ports of Tidings over Jakarta Persistence, on H2, PostgreSQL and MariaDB.
 *
 * <p>Doors: {@link dev.tidings.jpa.TidingsDb} marks the entity manager (and, if there is one, the data source) that the
 * host gives; {@link dev.tidings.jpa.TidingsSchema} makes and checks the tables; the ports themselves are injected by
 * their interfaces. Everything is native SQL through the entity manager, so that it runs in the caller's transaction
 * with any persistence provider, without entities in the host's persistence unit. What this package must not know:
 * Hibernate, EclipseLink, containers, wire protocols, the delivery engine.
 */
@NullMarked
package dev.tidings.jpa;

import org.jspecify.annotations.NullMarked;
