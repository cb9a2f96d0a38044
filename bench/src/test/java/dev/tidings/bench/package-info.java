/** Tests of the bench: what it makes of figures, and that each scenario works. */
@NullMarked
package dev.tidings.bench;

import org.jspecify.annotations.NullMarked;
