package dev.tidings.servers.wildfly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.servers.backend.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents say of the sample WARs is so. No server is needed for it. */
final class DocumentsIT {

    private static final Path PROJECT = Path.of(Objects.requireNonNull(System.getProperty("project.root")));

    /** The smallest tree of dependencies, as it is printed, is what the WAR holds. */
    @Test
    void dependencies_printed_areThoseOfTheWar() {
        String page = read(PROJECT.resolve("docs/dependencies.md"));
        Matcher tree =
                Pattern.compile("```\nWEB-INF/lib\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertTrue(tree.find(), "no tree");
        List<String> printed =
                tree.group(1).lines().map(String::strip).distinct().sorted().toList();

        List<String> held =
                Backend.war("documented.war")
                        .getContent(path -> path.get().startsWith("/WEB-INF/lib/"))
                        .keySet()
                        .stream()
                        .map(path ->
                                path.get().substring("/WEB-INF/lib/".length()).replaceFirst("-\\d+\\..*", ""))
                        .sorted()
                        .toList();

        assertEquals(printed, held);
    }

    /** The code in the guide is the code that the servers ran. */
    @Test
    void ownTables_codeInTheGuide_isThatOfTheSample() {
        String sources;
        try (Stream<Path> files = Files.walk(PROJECT.resolve("it-tests/own-tables/src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> withoutSpace(read(file)))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(read(PROJECT.resolve("docs/guide/own-tables.md")))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertTrue(blocks.size() >= 3, "the guide shows no code");
        for (String block : blocks) {
            assertTrue(sources.contains(withoutSpace(block)), () -> "not in the sample:\n" + block);
        }
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
