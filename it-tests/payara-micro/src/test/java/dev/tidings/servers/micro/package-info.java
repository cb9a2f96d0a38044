/**
 * The server tests in Payara Micro 7: Jakarta EE 11, on another JDK than the tests'.
 *
 * <p>It knows how Payara Micro is started; what must be seen there is the suite's business.
 */
@NullMarked
package dev.tidings.servers.micro;

import org.jspecify.annotations.NullMarked;
