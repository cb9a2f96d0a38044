/**
 * An application without Tidings, of the same shape: a bean, a socket, and a page that answers later. What it leaves
 * in a server when it goes is what that server keeps of any such application.
 *
 * <p>It must not know Tidings.
 */
@NullMarked
package dev.tidings.servers.plain;

import org.jspecify.annotations.NullMarked;
