package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTest {
    @TempDir
    private Path data;

    @Test
    void kept_newName_isItsOwnersAloneAndStays() throws Exception {
        Path file = data.resolve("node-id");
        String name = Node.kept(file);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(name, Node.kept(file));
    }

    @Test
    void kept_nameThatOthersCouldRead_isTakenFromThem() throws Exception {
        Path file = Files.writeString(data.resolve("node-id"), "one");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals("one", Node.kept(file));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }
}
