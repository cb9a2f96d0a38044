/** Tests. */
@NullMarked
package dev.tidings.protocol.json;

import org.jspecify.annotations.NullMarked;
