package dev.tidings.envelope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The public conformance suites, which lie beside the project's checkout and are not part of it. */
final class ConformanceFiles {
    private ConformanceFiles() {}

    /** The folder of a suite; skips the test where there is none. */
    static Path suite(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path candidate = folder.resolve("shared").resolve("conformance").resolve(name);
            if (Files.isDirectory(candidate)) {
                return candidate;
            }
        }
        Assumptions.abort("no folder shared/conformance/" + name + " above the working directory: suite skipped");
        throw new AssertionError("not reached");
    }

    static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }
}
