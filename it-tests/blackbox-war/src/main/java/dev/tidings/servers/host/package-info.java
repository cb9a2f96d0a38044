/**
 * What stands around Tidings in a WAR that is nothing but the demo agent: an entity manager, the agent, and a door for the
 * tests that need API keys.
 *
 * <p>It must not know which server it is in.
 */
@NullMarked
package dev.tidings.servers.host;

import org.jspecify.annotations.NullMarked;
