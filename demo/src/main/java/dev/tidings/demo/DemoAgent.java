package dev.tidings.demo;

import dev.tidings.Payload;
import dev.tidings.RunUsage;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * An agent that echoes, and obeys a few commands.
 *
 * <p>Any text is echoed in about eight deltas; so is a command that it does not know. {@code /stream N SIZE [MS]} sends
 * N deltas of SIZE characters, MS milliseconds apart; {@code /slow MS} waits and echoes; {@code /fail} fails;
 * {@code /big BYTES} answers with one message of that size. {@code /tool NAME} asks for approval and then runs a tool
 * that reports how it gets on; {@code /child TEXT} hands the text to a run of its own and waits for it; {@code /journal N}
 * writes N journal entries with progress; {@code /plan N} works off a plan of N steps. Wrong arguments are answered with
 * how it is used.
 *
 * <p>Threads: safe for any number of runs at once; it keeps nothing between them.
 */
public final class DemoAgent implements AgentRunner {

    private static final int ECHO_DELTAS = 8;
    private static final int CHUNK = 16 * 1024;
    private static final int MOST_BYTES = 8 * 1024 * 1024;
    private static final int MOST_MILLIS = 60_000;
    private static final Payload META = Payload.of("{\"model\":\"demo\",\"provider\":\"tidings\"}");

    private final Map<String, Command> commands = Map.of(
            "/stream",
            new Command(
                    List.of(
                            new Argument("N", 1, 100_000),
                            new Argument("SIZE", 1, 65_536),
                            new Argument("MS", 0, MOST_MILLIS)),
                    2,
                    DemoAgent::stream),
            "/slow",
            new Command(List.of(new Argument("MS", 0, MOST_MILLIS)), 1, DemoAgent::slow),
            "/fail",
            new Command(List.of(), 0, DemoAgent::fail),
            "/big",
            new Command(List.of(new Argument("BYTES", 1, MOST_BYTES)), 1, DemoAgent::big),
            "/journal",
            new Command(
                    List.of(new Argument("N", 1, 10_000)),
                    1,
                    (run, numbers) -> say(run, DemoWork.journal(run, numbers.get(0)))),
            "/plan",
            new Command(
                    List.of(new Argument("N", 1, 100)),
                    1,
                    (run, numbers) -> say(run, DemoWork.plan(run, numbers.get(0)))));

    private final Map<String, TextCommand> textCommands = Map.of(
            "/tool", new TextCommand("NAME", DemoWork::tool), "/child", new TextCommand("TEXT", DemoWork::child));

    /** An agent. */
    public DemoAgent() {}

    @Override
    public void run(RunContext run) {
        String[] words = run.prompt().strip().split("\\s+");
        Command command = commands.get(words[0]);
        TextCommand textCommand = textCommands.get(words[0]);
        if (textCommand != null) {
            say(run, textCommand.answer(run, words[0]));
        } else if (command == null) {
            echo(run);
        } else {
            List<String> given = List.of(words).subList(1, words.length);
            command.read(given)
                    .ifPresentOrElse(
                            numbers -> command.action().run(run, numbers),
                            () -> say(run, "Use it like this: " + command.usage(words[0]) + "."));
        }
        int said = run.prompt().length();
        run.usage(new RunUsage(said, said, 0, 0, 2L * said));
        run.endMessage(META);
    }

    private static void echo(RunContext run) {
        say(run, run.prompt().isEmpty() ? "You said nothing." : run.prompt());
    }

    /** Says a text in about eight deltas, none of which ends within a character. */
    private static void say(RunContext run, String text) {
        int step = Math.max(1, (text.length() + ECHO_DELTAS - 1) / ECHO_DELTAS);
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + step);
            if (to < text.length() && Character.isSurrogatePair(text.charAt(to - 1), text.charAt(to))) {
                to++;
            }
            run.text(text.substring(from, to));
            from = to;
        }
    }

    private static void stream(RunContext run, List<Integer> numbers) {
        int count = numbers.get(0);
        int size = numbers.get(1);
        Duration apart = Duration.ofMillis(numbers.size() > 2 ? numbers.get(2) : 0);
        if ((long) count * size > MOST_BYTES) {
            say(run, "N times SIZE is at most " + MOST_BYTES + ".");
            return;
        }
        for (int i = 0; i < count; i++) {
            if (i > 0 && !apart.isZero()) {
                run.pause(apart);
            }
            run.text(letters(i, size));
        }
    }

    /** The delta with that number: one letter, the next in each delta. */
    private static String letters(int delta, int size) {
        return String.valueOf((char) ('a' + delta % 26)).repeat(size);
    }

    private static void slow(RunContext run, List<Integer> numbers) {
        run.pause(Duration.ofMillis(numbers.get(0)));
        run.checkCancelled();
        echo(run);
    }

    private static void fail(RunContext run, List<Integer> numbers) {
        throw new RunFailure("demo_failure", "The demo agent failed, as it was asked to.");
    }

    private static void big(RunContext run, List<Integer> numbers) {
        int bytes = numbers.get(0);
        for (int chunk = 0; chunk * CHUNK < bytes; chunk++) {
            run.text(letters(chunk, Math.min(CHUNK, bytes - chunk * CHUNK)));
        }
    }

    /** A command whose argument is the rest of the prompt. */
    private record TextCommand(String argument, BiFunction<RunContext, String, String> action) {
        String answer(RunContext run, String name) {
            String text = run.prompt().strip().substring(name.length()).strip();
            return text.isEmpty() ? "Use it like this: " + name + " " + argument + "." : action.apply(run, text);
        }
    }

    private interface Action {
        void run(RunContext run, List<Integer> numbers);
    }

    private record Argument(String name, int least, int most) {
        Optional<Integer> read(String word) {
            // Nine digits at most, so that parsing cannot overflow; \d alone would take digits of other scripts.
            if (!word.matches("[0-9]{1,9}")) {
                return Optional.empty();
            }
            int number = Integer.parseInt(word);
            return number < least || number > most ? Optional.empty() : Optional.of(number);
        }
    }

    /**
     * A command.
     *
     * @param required how many of the arguments must be there; the others may be left out from the end
     */
    private record Command(List<Argument> arguments, int required, Action action) {

        /** The numbers, or empty if they are not what the command takes. */
        Optional<List<Integer>> read(List<String> words) {
            if (words.size() < required || words.size() > arguments.size()) {
                return Optional.empty();
            }
            List<Integer> numbers = new java.util.ArrayList<>();
            for (int i = 0; i < words.size(); i++) {
                arguments.get(i).read(words.get(i)).ifPresent(numbers::add);
            }
            return numbers.size() == words.size() ? Optional.of(numbers) : Optional.empty();
        }

        String usage(String name) {
            StringBuilder usage = new StringBuilder(name);
            StringBuilder ranges = new StringBuilder();
            for (int i = 0; i < arguments.size(); i++) {
                Argument argument = arguments.get(i);
                usage.append(i < required ? " " + argument.name() : " [" + argument.name() + "]");
                ranges.append(i == 0 ? ", with " : ", ")
                        .append(argument.name())
                        .append(" from ")
                        .append(argument.least())
                        .append(" to ")
                        .append(argument.most());
            }
            return usage.append(ranges).toString();
        }
    }
}
