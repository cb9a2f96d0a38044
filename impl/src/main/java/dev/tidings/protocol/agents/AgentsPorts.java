package dev.tidings.protocol.agents;

import dev.tidings.access.Access;
import dev.tidings.delivery.Delivery;
import dev.tidings.spi.Directory;
import dev.tidings.spi.EventLog;

/**
 * What this protocol asks and tells.
 *
 * <p>Threads: as its parts, all of which are safe for use by many threads.
 *
 * @param delivery where frames go
 * @param access who may read what
 * @param directory what there is
 * @param log how far streams reach
 */
public record AgentsPorts(Delivery delivery, Access access, Directory directory, EventLog log) {}
