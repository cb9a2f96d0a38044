/** Tests of the AsyncAPI document and of the clients' own checks; no server runs here. */
@NullMarked
package dev.tidings.blackbox;

import org.jspecify.annotations.NullMarked;
