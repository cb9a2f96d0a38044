/**
 * A chat with tables of its own, which it has shown live: the ports over those tables, and the events.
 *
 * <p>It must not know how Tidings would store anything: there is no {@code tidings-jpa} on its class path.
 */
@NullMarked
package dev.tidings.sample.chat;

import org.jspecify.annotations.NullMarked;
