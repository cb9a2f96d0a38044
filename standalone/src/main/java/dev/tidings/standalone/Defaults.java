package dev.tidings.standalone;

import dev.tidings.demo.DemoData;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Settings that this server has by default and an application does not; whoever sets one wins. */
final class Defaults {
    private static final String AUTH = "tidings.commands.auth";

    private Defaults() {}

    /** Makes them known to the configuration. */
    static void apply(Options options) {
        unlessSet("tidings.log.store-deltas", "true");
        unlessSet("tidings.commands.enabled", "true");
        unlessSet("tidings.conversations.enabled", "true");
        unlessSet("tidings.commands.agent", DemoData.AGENT);
        if (loopback(options) && options.apiKey().isEmpty()) {
            unlessSet(AUTH, "none");
        }
    }

    /**
     * What is dangerous about how the server is set up.
     *
     * @param setting the value of a key, if it is set
     */
    static Optional<String> warning(Options options, Function<String, Optional<String>> setting) {
        boolean everybody = setting.apply(AUTH).map(String::strip).equals(Optional.of("none"))
                && !setting.apply("tidings.commands.enabled").map(String::strip).equals(Optional.of("false"));
        return everybody && !loopback(options)
                ? Optional.of(AUTH + " is none and the server listens on " + options.host()
                        + ": everybody who can connect may read and command all sessions of "
                        + "tidings.commands.agent without a key")
                : Optional.empty();
    }

    /** Whether only this machine can connect. */
    static boolean loopback(Options options) {
        try {
            return InetAddress.getByName(options.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void unlessSet(String key, String value) {
        String inEnvironment = key.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
        if (System.getProperty(key) == null && System.getenv(inEnvironment) == null) {
            System.setProperty(key, value);
        }
    }
}
