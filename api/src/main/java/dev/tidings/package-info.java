/**
 * The words of Tidings: stream keys, positions, stored entries and the records that describe agents, sessions and runs.
 *
 * <p>What it must not know: how anything is stored, sent, signed or deployed. It has no dependency but the JDK, and no
 * library's type appears in it.
 */
@NullMarked
package dev.tidings;

import org.jspecify.annotations.NullMarked;
