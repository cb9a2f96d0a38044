@NullMarked
package dev.tidings.standalone;

import org.jspecify.annotations.NullMarked;
