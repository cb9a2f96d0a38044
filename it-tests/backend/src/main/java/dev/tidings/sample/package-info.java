/**
 * A support desk: the existing agent backend of the examples and the server tests.
 *
 * <p>It owns its tickets and its transactions. It must not know how Tidings stores or sends anything.
 */
@NullMarked
package dev.tidings.sample;

import org.jspecify.annotations.NullMarked;
