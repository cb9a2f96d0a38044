package dev.tidings.jpa;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One numbered step of the schema: a script for each dialect, never changed once it was released.
 *
 * @param version from 1 on, rising
 * @param file its name in the dialect's folder
 */
record Migration(int version, String file) {

    /** All steps, in order. */
    static final List<Migration> ALL = List.of(
            new Migration(1, "001-first-tables.sql"),
            new Migration(2, "002-run-trees.sql"),
            new Migration(3, "003-receipts.sql"),
            new Migration(4, "004-signers.sql"),
            new Migration(5, "005-api-keys.sql"),
            new Migration(7, "007-feed.sql"),
            new Migration(8, "008-room-for-heads.sql"));

    /** The script's statements. */
    List<String> statements(Dialect dialect) {
        String withoutComments = script(dialect).replaceAll("(?m)^--.*$", "");
        return Arrays.stream(withoutComments.split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** SHA-256 of the script, 64 hexadecimal digits; the same whatever line ends a checkout gave it. */
    String checksum(Dialect dialect) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(script(dialect).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private String script(Dialect dialect) {
        String name = dialect.code() + "/" + file;
        try (InputStream in = Migration.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new SchemaException("a migration is missing: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new SchemaException("a migration cannot be read: " + name, e);
        }
    }
}
