/**
 * A persistence unit for applications that have none of their own to lend: on the default data source, without entities.
 *
 * <p>It must not know what Tidings stores.
 */
@NullMarked
package dev.tidings.jpa.unit;

import org.jspecify.annotations.NullMarked;
