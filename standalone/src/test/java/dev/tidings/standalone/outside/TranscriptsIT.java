package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Our server beside another one that Seed's clients talk to, of which there are transcripts: what their clients did is done
 * with ours, and frame by frame ours shows the same, but for what {@code docs/protocol/compatibility.md} explains. Skipped
 * where the transcripts are not ({@code -Dtidings.transcripts} says where they are).
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TranscriptsIT {
    private static final Path TRANSCRIPTS = Path.of(System.getProperty(
            "tidings.transcripts",
            RunningServer.project().resolve("../shared/transcripts").toString()));

    private final Set<Difference> used = EnumSet.noneOf(Difference.class);
    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) {
        assumeTrue(Files.isDirectory(TRANSCRIPTS), "there are no transcripts at " + TRANSCRIPTS);
        server = RunningServer.startScripted(data);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Order(1)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "account",
                "collaborators",
                "errors",
                "public",
                "register-signer",
                "runs-child",
                "runs-script",
                "sessions-live",
                "sessions-replay"
            })
    void transcript_replayed_showsTheSame(String name) throws Exception {
        Transcript transcript = Transcript.read(TRANSCRIPTS.resolve(name + ".jsonl"));
        Comparison comparison = new Comparison(transcript);
        Replay replay = new Replay(transcript, comparison, server.base());
        Map<String, List<JsonNode>> ours = replay.run();
        write(name, ours);
        List<String> unexplained = new ArrayList<>(replay.answers());
        unexplained.addAll(comparison.unexplained(ours));
        used.addAll(comparison.used());
        assertTrue(unexplained.isEmpty(), () -> String.join("\n", unexplained));
        assertFindsWhatIsMissing(comparison, ours);
    }

    /** A comparison that finds nothing in less than everything would not be worth much. */
    private static void assertFindsWhatIsMissing(Comparison comparison, Map<String, List<JsonNode>> ours) {
        ours.forEach((socket, frames) -> {
            int last = frames.size() - 1;
            while (Comparison.isPaced(frames.get(last)) || Comparison.isStatusHint(frames.get(last))) {
                last--;
            }
            List<JsonNode> less = new ArrayList<>(frames);
            less.remove(last);
            Map<String, List<JsonNode>> all = new HashMap<>(ours);
            all.put(socket, less);
            assertFalse(comparison.unexplained(all).isEmpty(), socket + " without its frame " + last);
        });
    }

    /** Ours, to be read beside theirs. */
    private static void write(String name, Map<String, List<JsonNode>> ours) throws IOException {
        List<String> lines = new ArrayList<>();
        ours.forEach((socket, frames) ->
                frames.forEach(frame -> lines.add("{\"sock\":\"" + socket + "\",\"frame\":" + frame + "}")));
        Path folder = Files.createDirectories(Path.of("target", "transcripts"));
        Files.write(folder.resolve(name + ".jsonl"), lines);
    }

    @Order(2)
    @Test
    void differences_allOccur() {
        assertEquals(EnumSet.allOf(Difference.class), used, "what the document explains is no difference any more");
    }

    @Order(3)
    @Test
    void differences_areAllInTheDocument() throws Exception {
        String page = Files.readString(RunningServer.project().resolve("docs/protocol/compatibility.md"));
        for (Difference difference : Difference.values()) {
            assertTrue(page.contains("<a id=\"" + difference.anchor() + "\"></a>"), difference.anchor());
        }
        assertEquals(
                Difference.values().length,
                page.split("<a id=", -1).length - 1,
                "an explanation of what is no difference any more");
    }
}
