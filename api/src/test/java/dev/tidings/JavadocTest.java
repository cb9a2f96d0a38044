package dev.tidings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every public type of the API says which threads may use it. */
class JavadocTest {

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:abstract |final |sealed )*(?:class|interface|record|enum|@interface) (\\w+)",
            Pattern.MULTILINE);

    @Test
    void publicType_javadoc_saysThreads() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        int types = 0;
        for (Path file : sources) {
            String source = Files.readString(file);
            Matcher type = PUBLIC_TYPE.matcher(source);
            if (type.find()) {
                types++;
                assertTrue(
                        source.substring(0, type.start()).contains("Threads:"),
                        () -> file.getFileName() + " does not say which threads may use it");
            }
        }
        assertTrue(types > 30, "found only " + types + " public types");
        assertEquals(
                0,
                sources.stream()
                        .filter(file -> file.endsWith("module-info.java"))
                        .count());
    }
}
