/**
 * Who may read which key, now: the gates that delivery asks before each frame, closed by the thread that commits a
 * revocation and checked against the grants every second.
 *
 * <p>What it must not know: how grants are stored, what is delivered, which protocol asks.
 */
@NullMarked
package dev.tidings.access;

import org.jspecify.annotations.NullMarked;
