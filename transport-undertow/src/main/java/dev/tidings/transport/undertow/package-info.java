/**
 * The door of Undertow: a batch of messages in one write.
 *
 * <p>What it must not know: XNIO, whose classes a WAR on WildFly does not see unless its manifest asks for them; and
 * everything about Tidings but {@link dev.tidings.transport.Door}.
 */
@NullMarked
package dev.tidings.transport.undertow;

import org.jspecify.annotations.NullMarked;
