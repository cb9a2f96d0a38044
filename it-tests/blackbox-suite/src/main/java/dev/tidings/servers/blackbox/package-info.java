/**
 * The black-box suites in a server: one deployment of the demo agent's WAR, and everything that is tested of the runnable
 * server from outside.
 *
 * <p>It must not know which server it talks to; how one is started is a {@link BlackBoxServer}'s business.
 */
@NullMarked
package dev.tidings.servers.blackbox;

import org.jspecify.annotations.NullMarked;
