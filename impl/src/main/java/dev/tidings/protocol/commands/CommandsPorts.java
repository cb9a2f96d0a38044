package dev.tidings.protocol.commands;

import dev.tidings.access.Access;
import dev.tidings.access.KeyAccess;
import dev.tidings.delivery.Delivery;
import dev.tidings.runs.Runs;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.Transactions;
import java.util.Optional;

/**
 * What this protocol asks and tells.
 *
 * <p>Threads: as its parts, all of which are safe for use by many threads.
 *
 * @param delivery where frames go
 * @param runs what does the commands
 * @param access who may read what
 * @param keys which API keys are valid; empty if the application keeps none
 * @param directory what there is
 * @param directoryWriter for new sessions
 * @param log what the sessions hold
 * @param receipts which messages have been taken
 * @param transactions for new sessions
 */
public record CommandsPorts(
        Delivery delivery,
        Runs runs,
        Access access,
        Optional<KeyAccess> keys,
        Directory directory,
        DirectoryWriter directoryWriter,
        EventLog log,
        Receipts receipts,
        Transactions transactions) {}
