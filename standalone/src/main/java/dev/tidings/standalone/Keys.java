package dev.tidings.standalone;

import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** The command {@code ./run keys …}: through the server that runs over the data, or else on the database itself. */
final class Keys {
    private Keys() {}

    /**
     * Does it.
     *
     * @param words what stands behind the word {@code keys}
     * @throws StartFailure if there is no server and the database cannot be opened
     */
    static KeyDesk.Answer run(List<String> words) throws Options.WrongUsage {
        KeysCommand.Call call = KeysCommand.parse(words);
        Optional<KeyDesk.Answer> answered = AdminDoor.ask(call);
        return answered.isPresent() ? answered.get() : alone(call);
    }

    /** With the same beans as a server, of which nothing is started. */
    private static KeyDesk.Answer alone(KeysCommand.Call call) {
        if (!call.makesData() && Database.isMissing(call.data(), ConfigProvider.getConfig())) {
            return new KeyDesk.Answer(
                    false,
                    "there is no data in " + call.data()
                            + " (--data names another directory; ./run makes it, and so does keys create --new)");
        }
        System.setProperty("tidings.agents.enabled", "false");
        System.setProperty("tidings.commands.enabled", "false");
        Database.prepare(call.data());
        Transactions.configure(call.data());
        try (Database database = Database.open(call.data(), Options.OtherDatabase.NONE, ConfigProvider.getConfig());
                ServerThreads threads = new ServerThreads()) {
            WeldContainer beans = new Weld()
                    .addServices(new NarayanaTransactionServices())
                    .addExtension(new HostBeans(database, threads))
                    .property(Weld.SHUTDOWN_HOOK_SYSTEM_PROPERTY, false)
                    .initialize();
            try {
                return beans.select(KeyDesk.class).get().answer(call.command());
            } finally {
                beans.shutdown();
            }
        }
    }
}
