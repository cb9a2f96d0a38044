/**
 * The door of Payara: a batch of messages in one write.
 *
 * <p>What it must not know: everything about Tidings but {@link dev.tidings.transport.Door} and
 * {@link dev.tidings.transport.Upgraded}; of Payara, more than {@link dev.tidings.transport.PayaraConnection} does.
 */
@NullMarked
package dev.tidings.transport.payara;

import org.jspecify.annotations.NullMarked;
