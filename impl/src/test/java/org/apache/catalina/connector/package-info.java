/** Stands in for Payara's connector, which is known by the names of its classes. Knows nothing of Tidings. */
@NullMarked
package org.apache.catalina.connector;

import org.jspecify.annotations.NullMarked;
