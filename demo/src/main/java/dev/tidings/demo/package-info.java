/**
 * The demo agent: answers without a model, a key or a network, for trying Tidings, for its tests and its benchmarks.
 *
 * <p>What it must not know: sockets, protocols, storage, the server around it. It sees the runner's port only.
 */
@NullMarked
package dev.tidings.demo;

import org.jspecify.annotations.NullMarked;
