package dev.tidings.servers.micro;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds a JDK of a version or newer: named by {@code JAVA_HOME_25} and the like, by {@code JAVA_HOME}, or in /usr/lib/jvm. */
final class NewerJava {
    private static final int FOR_MICRO = 21;
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    private NewerJava() {}

    /** That of a JDK which Payara Micro runs on; where there is none, the test is skipped. */
    static Path assumed() {
        Optional<Path> java = find(FOR_MICRO);
        assumeTrue(java.isPresent(), "Payara Micro 7 needs a JDK 21 or newer, named by JAVA_HOME_21 for example");
        return java.orElseThrow();
    }

    /** Its {@code java}; of several any. */
    private static Optional<Path> find(int version) {
        List<Path> homes = new ArrayList<>();
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            if (variable.getKey().startsWith("JAVA_HOME")) {
                homes.add(Path.of(variable.getValue()));
            }
        }
        if (Files.isDirectory(INSTALLED)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(INSTALLED)) {
                folders.forEach(homes::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return homes.stream()
                .filter(home -> version(home) >= version)
                .map(home -> home.resolve("bin/java"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** As its {@code release} file says it; 0 if there is none. */
    private static int version(Path home) {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        try {
            return Files.readAllLines(release).stream()
                    .filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceFirst("^JAVA_VERSION=\"?(\\d+).*$", "$1"))
                    .filter(number -> number.matches("\\d+"))
                    .mapToInt(Integer::parseInt)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
