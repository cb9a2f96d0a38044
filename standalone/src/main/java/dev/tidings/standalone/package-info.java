/**
 * The one-process server: Tyrus and servlets on a Grizzly of its own, Weld, Narayana, Hibernate and an H2 file database.
 *
 * <p>It knows how to start and stop these and to put the faces of Tidings on one port. It must not know what a message
 * means, what is stored, or who may read it: those come as endpoints, servlets, filters and beans.
 */
@NullMarked
package dev.tidings.standalone;

import org.jspecify.annotations.NullMarked;
