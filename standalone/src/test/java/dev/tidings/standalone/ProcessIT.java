package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProcessIT {
    private static final String LISTENING = "Tidings is listening on http://127.0.0.1:";
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path data;

    @Test
    void sigterm_openSocket_isClosedWith1001AndTheProcessEnds() throws Exception {
        Process process = start("--port", "0", "--data", data.toString());
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            try (RawClient client = RawClient.upgraded(port(process, out), "/held")) {
                process.destroy();
                assertEquals(1001, client.frame().closeCode());
                assertThrows(EOFException.class, client::frame);
            }
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            assertEquals(TERMINATED, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void dataDirectoryInUse_exitsWith1AndSaysSo() throws Exception {
        Process first = start("--port", "0", "--data", data.toString());
        try (BufferedReader out = first.inputReader(StandardCharsets.UTF_8)) {
            assertTrue(port(first, out) > 0);
            Process second = start("--port", "0", "--data", data.toString());
            try (BufferedReader err = second.errorReader(StandardCharsets.UTF_8)) {
                assertEquals(
                        "tidings: the data directory " + data + " is used by another running server", err.readLine());
            }
            assertTrue(second.waitFor(30, TimeUnit.SECONDS));
            assertEquals(1, second.exitValue());
        } finally {
            first.destroyForcibly();
        }
    }

    @Test
    void unknownArgument_exitsWith2AndSaysWhich() throws Exception {
        Process process = start("--prot", "1");
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertEquals("tidings: unknown argument: --prot (--help shows the options)", err.readLine());
        }
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(2, process.exitValue());
    }

    @Test
    void help_showsTheOptions() throws Exception {
        Process process = start("--help");
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String text = String.join("\n", out.lines().toList());
            List.of("--port", "--host", "--data", "--api-key", "--help")
                    .forEach(option -> assertTrue(text.contains(option), option));
        }
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    private static int port(Process process, BufferedReader out) throws IOException {
        String first = out.readLine();
        if (first == null) {
            return fail("the process ended: "
                    + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        assertTrue(first.startsWith(LISTENING), first);
        return Integer.parseInt(first.substring(LISTENING.length()));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                TestMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(data.toFile()).start();
    }
}
