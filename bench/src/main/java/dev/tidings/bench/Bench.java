package dev.tidings.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures a scenario on one server or several, in turn, and prints a line of JSON each time; then, of several rounds, the
 * medians and the ratios to the first of them. Ends with 1 if anything arrived that may never arrive, or did not.
 */
public final class Bench {
    private Bench() {}

    /** {@code SCENARIO[,SCENARIO…]|all [options]}, {@code machine}, or {@code table FOLDER DOCUMENT}. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 3 && arguments[0].equals("table")) {
            Report.of(Path.of(arguments[1])).into(Path.of(arguments[2]));
            return;
        }
        if (List.of(arguments).equals(List.of("machine"))) {
            System.out.println(Report.thisMachine());
            return;
        }
        List<Line> lines = measure(Settings.parse(arguments));
        System.exit(lines.stream().mapToDouble(line -> line.figure("gaps")).sum() > 0 ? 1 : 0);
    }

    /** Measures and prints; gives the lines that count. */
    static List<Line> measure(Settings settings) {
        List<Line> lines = new ArrayList<>();
        try (Targets targets = Targets.start(settings)) {
            for (String name : settings.scenarios()) {
                lines.addAll(measure(Scenario.of(name), settings.of(name), targets.all()));
            }
        }
        return lines;
    }

    private static List<Line> measure(Scenario scenario, Settings settings, List<Target> targets) {
        String run = Long.toString(System.currentTimeMillis(), 36);
        List<Line> lines = new ArrayList<>();
        // Several rounds are measured warm: some that do not count come before them.
        boolean several = settings.rounds() > 1;
        for (int round = several ? -settings.warmUpRounds() : 0; round < settings.rounds(); round++) {
            for (Target target : targets) {
                Result result = new Result(settings, target.name(), run, round);
                scenario.measure(target, settings, result);
                System.out.println(result);
                if (round >= 0) {
                    lines.add(Line.parse(result.toString()));
                }
            }
        }
        if (several) {
            // For who looks on; what is kept are the lines.
            Report.tables(lines).forEach(System.err::println);
        }
        return lines;
    }
}
