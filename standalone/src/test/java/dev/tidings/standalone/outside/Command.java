package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;

/** A program that a test runs to its end; one that is not here counts as failed. */
record Command(int exit, String output) {
    private static final boolean CI = "true".equals(System.getenv("CI"));

    static Command run(Path folder, String... command) throws InterruptedException {
        try {
            Path output = Files.createTempFile(folder, "out", ".txt");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(180, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Command(-1, "took too long: " + String.join(" ", command));
            }
            return new Command(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException notHere) {
            return new Command(-1, command[0] + " is not here");
        }
    }

    /** Copies a folder of the tests' sources and installs the packages that its lock file names, or skips the test. */
    static void installPackages(String source, Path target, String... files) throws IOException, InterruptedException {
        Files.createDirectories(target);
        for (String file : files) {
            Files.copy(
                    RunningServer.project().resolve(source).resolve(file),
                    target.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        Command packages = run(target, "npm", "ci", "--no-audit", "--no-fund");
        require(packages.ok(), "the packages are not to be had: " + packages.output());
    }

    /** Skips the test without the condition; in CI, fails it. */
    static void require(boolean condition, String otherwise) {
        if (CI) {
            assertTrue(condition, otherwise);
        }
        assumeTrue(condition, otherwise);
    }

    boolean ok() {
        return exit == 0;
    }
}
