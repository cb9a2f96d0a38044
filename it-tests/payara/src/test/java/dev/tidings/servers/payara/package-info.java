/**
 * The server tests in Payara: EclipseLink, Jersey, Tyrus.
 *
 * <p>It knows how Payara is started; what must be seen there is the suite's business.
 */
@NullMarked
package dev.tidings.servers.payara;

import org.jspecify.annotations.NullMarked;
