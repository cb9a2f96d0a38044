package dev.tidings.protocol.commands;

import dev.tidings.protocol.http.FaceDoor;

/**
 * The door of this face, told apart from the doors of others by its type.
 *
 * <p>Threads: immutable.
 *
 * @param door who is let in
 */
public record CommandsDoor(FaceDoor door) {}
