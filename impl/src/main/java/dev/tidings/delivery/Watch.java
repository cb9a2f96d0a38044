package dev.tidings.delivery;

/**
 * What every part of an engine uses to count, to keep within bounds and to survive.
 *
 * <p>Threads: immutable.
 *
 * @param budget the bytes of the node
 * @param copies the room for what containers copy
 * @param relief makes room if the budget is exceeded; cheap if it is not; not under a lock
 */
record Watch(Tally tally, Trouble trouble, Budget budget, CopyRoom copies, Runnable relief) {}
