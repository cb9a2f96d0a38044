package dev.tidings.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and directories that are their owner's alone, where there is such a thing.
 *
 * <p>Threads: pure.
 */
final class OwnerOnly {
    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";

    private OwnerOnly() {}

    /** Makes a directory, and those above it, unless they are there. */
    static void makeDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, attributes(directory, DIRECTORY));
    }

    /** Makes an empty file. */
    static void makeFile(Path file) throws IOException {
        Files.createFile(file, attributes(file, FILE));
    }

    /** Takes a file that is there from everybody else. */
    static void restrict(Path file) throws IOException {
        if (hasOwners(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE));
        }
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return hasOwners(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasOwners(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
