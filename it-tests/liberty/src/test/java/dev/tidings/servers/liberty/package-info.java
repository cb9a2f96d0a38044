/**
 * The server tests in Open Liberty: Jakarta EE 10, with web sockets and a servlet container of its own.
 *
 * <p>It knows how Open Liberty is started; what must be seen there is the suite's business.
 */
@NullMarked
package dev.tidings.servers.liberty;

import org.jspecify.annotations.NullMarked;
