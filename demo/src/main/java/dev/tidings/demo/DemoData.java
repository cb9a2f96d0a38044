package dev.tidings.demo;

import dev.tidings.AgentInfo;
import dev.tidings.Payload;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/**
 * The account and the agent that sessions made without signatures belong to, in a server that has no backend of its own.
 *
 * <p>Threads: the starting one.
 */
@Dependent
public final class DemoData {
    /** The account's id. */
    public static final String ACCOUNT = "demo";

    /** The agent's id. */
    public static final String AGENT = "demo";

    private final Directory directory;
    private final DirectoryWriter writer;
    private final Transactions transactions;

    @Inject
    DemoData(Directory directory, DirectoryWriter writer, Transactions transactions) {
        this.directory = directory;
        this.writer = writer;
        this.transactions = transactions;
    }

    /**
     * Makes the agent, unless it is there.
     *
     * @param publicRead whether everybody may watch it with the Agents API
     */
    public void make(boolean publicRead) {
        transactions.run(() -> {
            if (directory.agent(AGENT).isEmpty()) {
                long now = System.currentTimeMillis();
                writer.create(new AgentInfo(
                        AGENT,
                        ACCOUNT,
                        Payload.of(
                                "{\"name\":\"Demo\",\"systemPrompt\":\"\",\"modelProvider\":\"tidings\",\"model\":\"demo\"}"),
                        null,
                        AgentInfo.AgentStatus.IDLE,
                        now,
                        now,
                        publicRead));
            }
        });
    }
}
