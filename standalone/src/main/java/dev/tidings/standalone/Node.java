package dev.tidings.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The name of this server among those that share a database: made once, kept in the data directory. A server that starts
 * again under its name knows at once which runs were cut by its end.
 */
final class Node {
    private static final String KEY = "tidings.node.id";

    private Node() {}

    /** Makes the name known to the configuration, unless there is one already. */
    static void name(Path data) {
        if (System.getProperty(KEY) == null && System.getenv("TIDINGS_NODE_ID") == null) {
            System.setProperty(KEY, kept(data.resolve("node-id")));
        }
    }

    static String kept(Path file) {
        try {
            if (Files.exists(file)) {
                OwnerOnly.restrict(file);
            } else {
                OwnerOnly.makeFile(file);
                Files.writeString(file, UUID.randomUUID().toString(), StandardCharsets.US_ASCII);
            }
            return Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new StartFailure("the data directory cannot be written to: " + file.getParent(), e);
        }
    }
}
