/**
 * The domain events that a backend, or a port of Tidings, fires with CDI's {@code Event.fire} inside the transaction
 * that wrote what they tell of.
 *
 * <p>They are observed after that transaction committed; of one that rolled back, nothing is ever shown (law 2). What
 * this package must not know: frames, sockets, protocols.
 */
@NullMarked
package dev.tidings.event;

import org.jspecify.annotations.NullMarked;
