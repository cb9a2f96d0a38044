/** Tests of Payara's door over a bare Grizzly; that it is found in Payara is tested there. */
@NullMarked
package dev.tidings.transport.payara;

import org.jspecify.annotations.NullMarked;
