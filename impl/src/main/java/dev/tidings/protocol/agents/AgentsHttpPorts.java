package dev.tidings.protocol.agents;

import dev.tidings.access.Access;
import dev.tidings.runs.Runs;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Grants;
import dev.tidings.spi.GrantsWriter;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.SessionTools;
import dev.tidings.spi.Transactions;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the built-in actions work on.
 *
 * <p>Threads: as its parts, which are safe for use by many threads.
 *
 * @param writes whether the ports for writing are there; without them only actions that read are known
 * @param directory agents, sessions and runs, for reading
 * @param directoryWriter the same, for writing
 * @param grants roles, read in one query for lists
 * @param grantsWriter invitations
 * @param log the transcripts
 * @param writer the same, for what people do by hand
 * @param transactions an action that writes is one, or several
 * @param receipts what was done before
 * @param access who may do what
 * @param runs turns
 * @param tools what people may use by hand, if the application has any
 * @param events takes the {@code AccountHint}s of an action, inside its transaction
 */
public record AgentsHttpPorts(
        boolean writes,
        Directory directory,
        DirectoryWriter directoryWriter,
        Grants grants,
        GrantsWriter grantsWriter,
        EventLog log,
        EventWriter writer,
        Transactions transactions,
        Receipts receipts,
        Access access,
        Runs runs,
        Optional<SessionTools> tools,
        Consumer<Object> events) {}
