/** Tests of the door of Undertow, against an embedded one. */
@NullMarked
package dev.tidings.transport.undertow;

import org.jspecify.annotations.NullMarked;
