package dev.tidings.standalone;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asked for.
 *
 * @param port 0 to 65535; 0 is any free port
 * @param data the directory of the file database and of what the server keeps for itself, absolute
 * @param database another database than the file
 */
record Options(String host, int port, Path data, OtherDatabase database, Optional<String> apiKey, boolean help) {
    static final int DEFAULT_PORT = 3051;

    /**
     * Where another database is and as whom to use it; a password never stands on the command line, which everybody on
     * the machine can read.
     *
     * @param url a JDBC URL
     */
    record OtherDatabase(Optional<String> url, Optional<String> user) {
        static final OtherDatabase NONE = new OtherDatabase(Optional.empty(), Optional.empty());
    }

    /** With the file database. */
    Options(String host, int port, Path data, Optional<String> apiKey, boolean help) {
        this(host, port, data, OtherDatabase.NONE, apiKey, help);
    }

    /** A command line that cannot be understood; the message is for the person who typed it. */
    static final class WrongUsage extends Exception {
        private static final long serialVersionUID = 1L;

        WrongUsage(String message) {
            super(message);
        }
    }

    /** Reads {@code --name value} and {@code --name=value}; the last one of a name wins. */
    static Options parse(List<String> arguments) throws WrongUsage {
        String host = "127.0.0.1";
        int port = DEFAULT_PORT;
        Path data = Path.of("data");
        Optional<String> database = Optional.empty();
        Optional<String> databaseUser = Optional.empty();
        Optional<String> apiKey = Optional.empty();
        boolean help = false;
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String argument = rest.removeFirst();
            int equals = argument.indexOf('=');
            String name = argument.startsWith("--") && equals > 0 ? argument.substring(0, equals) : argument;
            if (equals > 0 && !name.equals(argument)) {
                rest.addFirst(argument.substring(equals + 1));
            }
            switch (name) {
                case "--help", "-h" -> help = true;
                case "--host" -> host = value(name, rest);
                case "--port" -> port = port(value(name, rest));
                case "--data" -> data = directory(value(name, rest));
                case "--database" -> database = Optional.of(jdbcUrl(value(name, rest)));
                case "--database-user" -> databaseUser = Optional.of(value(name, rest));
                case "--api-key" -> apiKey = Optional.of(value(name, rest));
                default -> throw new WrongUsage("unknown argument: " + name);
            }
        }
        return new Options(
                host, port, data.toAbsolutePath().normalize(), new OtherDatabase(database, databaseUser), apiKey, help);
    }

    private static String value(String name, Deque<String> rest) throws WrongUsage {
        String value = rest.pollFirst();
        if (value == null || value.isBlank()) {
            throw new WrongUsage(name + " needs a value");
        }
        return value;
    }

    private static int port(String text) throws WrongUsage {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // said below, like a number out of range
        }
        throw new WrongUsage("--port must be a number from 0 to 65535, not " + text);
    }

    private static Path directory(String text) throws WrongUsage {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new WrongUsage("--data is not a path: " + text);
        }
    }

    private static String jdbcUrl(String text) throws WrongUsage {
        if (!text.startsWith("jdbc:")) {
            throw new WrongUsage("--database must be a JDBC URL, such as jdbc:postgresql://127.0.0.1/tidings");
        }
        return text;
    }

    /** Never shows the key, nor the URL of a database, which may hold a password. */
    @Override
    public String toString() {
        return "Options[host=" + host + ", port=" + port + ", data=" + data + "]";
    }
}
