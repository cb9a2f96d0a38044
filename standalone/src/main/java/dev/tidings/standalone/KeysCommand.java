package dev.tidings.standalone;

import dev.tidings.ApiKeyScope;
import dev.tidings.standalone.Options.WrongUsage;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code ./run keys …} was asked to do. */
sealed interface KeysCommand {

    /** Makes a key. */
    record Create(String label, ApiKeyScope scope) implements KeysCommand {}

    /** Shows the keys that are valid. */
    record ListAll() implements KeysCommand {}

    /** Revokes one. */
    record Revoke(String keyId) implements KeysCommand {}

    /**
     * A command and the data directory of the server that it is for.
     *
     * @param makesData whether a database is made if there is none
     * @param words the command without the directory, as {@link #parse} reads it again on the other side
     */
    record Call(KeysCommand command, Path data, boolean makesData, List<String> words) {}

    /** Reads what stands behind the word {@code keys}; {@code --name value} or {@code --name=value}. */
    static Call parse(List<String> arguments) throws WrongUsage {
        Words words = new Words(arguments);
        String act = words.next("keys needs create, list or revoke");
        String label = "";
        ApiKeyScope scope = null;
        String keyId = null;
        Path data = Path.of("data");
        boolean makesData = false;
        while (words.more()) {
            String word = words.next("");
            switch (word) {
                case "--data" -> data = directory(words.value(word));
                case "--new" -> {
                    only(act, "create", word, word);
                    makesData = true;
                }
                case "--label" -> label = only(act, "create", word, words.value(word));
                case "--agent" ->
                    scope = once(scope, new ApiKeyScope.OfAgent(only(act, "create", word, words.value(word))));
                case "--session" ->
                    scope = once(scope, new ApiKeyScope.OfSession(only(act, "create", word, words.value(word))));
                default -> {
                    if (word.startsWith("-") || keyId != null) {
                        throw new WrongUsage("unknown argument: " + word);
                    }
                    keyId = only(act, "revoke", word, word);
                }
            }
        }
        KeysCommand command = switch (act) {
            case "create" -> create(label, scope == null ? new ApiKeyScope.All() : scope);
            case "list" -> new ListAll();
            case "revoke" -> revoke(keyId);
            default -> throw new WrongUsage("keys can create, list and revoke, not " + act);
        };
        return new Call(command, data.toAbsolutePath().normalize(), makesData, List.copyOf(arguments));
    }

    private static Create create(String label, ApiKeyScope scope) throws WrongUsage {
        if (label.length() > dev.tidings.ApiKey.MAX_LABEL) {
            throw new WrongUsage("--label has at most " + dev.tidings.ApiKey.MAX_LABEL + " characters");
        }
        return new Create(label, scope);
    }

    private static Revoke revoke(@Nullable String keyId) throws WrongUsage {
        if (keyId == null) {
            throw new WrongUsage("keys revoke needs the id of a key (keys list shows them)");
        }
        return new Revoke(keyId);
    }

    private static String only(String act, String wanted, String word, String value) throws WrongUsage {
        if (!act.equals(wanted)) {
            throw new WrongUsage("unknown argument of keys " + act + ": " + word);
        }
        return value;
    }

    private static ApiKeyScope once(@Nullable ApiKeyScope before, ApiKeyScope scope) throws WrongUsage {
        if (before != null) {
            throw new WrongUsage("a key has one scope: an agent, a session, or neither");
        }
        return scope;
    }

    private static Path directory(String text) throws WrongUsage {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new WrongUsage("--data is not a path: " + text);
        }
    }

    /** The words of a command line, one after the other. Confined: one thread. */
    final class Words {
        private final Deque<String> rest;

        Words(List<String> words) {
            this.rest = new ArrayDeque<>(words);
        }

        boolean more() {
            return !rest.isEmpty();
        }

        String next(String otherwise) throws WrongUsage {
            String word = rest.pollFirst();
            if (word == null) {
                throw new WrongUsage(otherwise);
            }
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            if (equals > 0) {
                rest.addFirst(word.substring(equals + 1));
                return word.substring(0, equals);
            }
            return word;
        }

        String value(String name) throws WrongUsage {
            String value = rest.pollFirst();
            if (value == null || value.isBlank()) {
                throw new WrongUsage(name + " needs a value");
            }
            return value;
        }
    }
}
