/**
 * The server tests in WildFly: Hibernate, RESTEasy, Undertow.
 *
 * <p>It knows how WildFly is started; what must be seen there is the suite's business.
 */
@NullMarked
package dev.tidings.servers.wildfly;

import org.jspecify.annotations.NullMarked;
