package dev.tidings.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path folder;

    private static String line(String target, int round, double cpu) {
        return "{\"scenario\":\"fanout-1000\",\"target\":\"" + target
                + "\",\"database\":\"h2\",\"run\":\"a\",\"round\":" + round + ",\"cpu_us_per_frame\":" + cpu
                + ",\"gaps\":0.0}";
    }

    private Report report(String... lines) throws IOException {
        Files.write(folder.resolve("fanout-1000.jsonl"), List.of(lines));
        return Report.of(folder);
    }

    private static String goal(Report report) {
        return Goal.ALL.get(0).row(report.results());
    }

    @Test
    void goal_medianOfTheRatiosOfPairs_isComparedWithTheBound() throws IOException {
        Report report = report(
                line("floor", -1, 1),
                line("tidings", -1, 9),
                line("floor", 0, 4),
                line("tidings", 0, 1),
                line("floor", 1, 8),
                line("tidings", 1, 4),
                line("tidings", 2, 1.5),
                line("floor", 2, 5));

        String row = goal(report);

        assertTrue(row.contains("0.30 (0.25–0.50) of 3"), row);
        assertTrue(row.contains("| reached |"), row);
    }

    @Test
    void goal_aboveTheBound_isNotReached() throws IOException {
        String row = goal(report(line("floor", 0, 4), line("tidings", 0, 3)));

        assertTrue(row.contains("**not reached**"), row);
    }

    @Test
    void goal_withoutAPair_isNotMeasured() throws IOException {
        String row = goal(report(line("floor", 0, 4), line("tidings", 1, 1)));

        assertTrue(row.contains("not measured"), row);
    }

    @Test
    void into_document_replacesWhatStandsBetweenTheMarks() throws IOException {
        Path document = folder.resolve("performance.md");
        Files.writeString(document, "before\n" + Report.BEGIN + "\nold\n" + Report.END + "\nbehind\n");

        report(line("floor", 0, 4)).into(document);

        String written = Files.readString(document);
        assertTrue(written.startsWith("before\n" + Report.BEGIN), written);
        assertTrue(written.endsWith("\n" + Report.END + "\nbehind\n"), written);
        assertTrue(written.contains("`fanout-1000`, h2:"), written);
        assertFalse(written.contains("old"), written);
    }

    @Test
    void into_documentWithoutMarks_isRefused() throws IOException {
        Path document = Files.writeString(folder.resolve("performance.md"), "nothing");

        assertThrows(IllegalArgumentException.class, () -> report().into(document));
    }

    @Test
    void parse_options_haveTheirUsualValues() {
        Settings usual = Settings.parse("fanout-1000");
        Settings given = Settings.parse("fanout-1000,append", "--rounds", "7", "--smoke", "--targets", "floor,tidings");

        assertEquals(List.of("tidings"), usual.targets());
        assertEquals(1000, usual.socketsOr(1000));
        assertEquals(List.of("fanout-1000", "append"), given.scenarios());
        assertEquals(7, given.rounds());
        assertEquals(10, given.socketsOr(1000));
        assertEquals(List.of("floor", "tidings"), given.targets());
        assertThrows(IllegalArgumentException.class, () -> Settings.parse("fanout-1000", "--no-such-option", "1"));
        assertThrows(IllegalArgumentException.class, () -> Settings.parse("fanout-1000", "--rounds"));
    }
}
