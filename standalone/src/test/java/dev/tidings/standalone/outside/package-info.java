/** Tests of {@code ./run} from outside: the process, its options, its signals, and the black-box suite against it. */
@NullMarked
package dev.tidings.standalone.outside;

import org.jspecify.annotations.NullMarked;
