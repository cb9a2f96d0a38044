/** The checks over a node that is made up, found by CDI as in a server. */
@NullMarked
package dev.tidings.health;

import org.jspecify.annotations.NullMarked;
