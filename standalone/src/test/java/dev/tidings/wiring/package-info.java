/** Gives tests of a real CDI container the package-private beans of the wiring. */
@NullMarked
package dev.tidings.wiring;

import org.jspecify.annotations.NullMarked;
