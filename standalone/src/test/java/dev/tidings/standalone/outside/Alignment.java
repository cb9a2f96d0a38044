package dev.tidings.standalone.outside;

import java.util.ArrayList;
import java.util.List;

/**
 * Steps that must come beside those that came. A state that a later one of the same thing replaces need not come: only the
 * latest is promised to whoever is slow.
 *
 * <p>Threads: immutable.
 *
 * @param reachesTheEnd whether the last step that must come is among those that came, in its place
 * @param differences in words; empty if there are none
 */
record Alignment(boolean reachesTheEnd, List<String> differences) {

    static Alignment of(List<Step> must, List<Step> came) {
        List<String> differences = new ArrayList<>();
        int next = 0;
        int reached = 0;
        for (Step step : came) {
            int at = next;
            while (at < must.size() && !must.get(at).equals(step) && isReplaced(must, at)) {
                at++;
            }
            if (at < must.size() && must.get(at).equals(step)) {
                next = at + 1;
                reached = next;
            } else {
                Step instead = next < must.size() ? must.get(next) : null;
                differences.add(describe(next, instead, step));
                next = Math.min(next + 1, must.size());
            }
        }
        for (; next < must.size(); next++) {
            differences.add(describe(next, must.get(next), null));
        }
        return new Alignment(reached == must.size(), List.copyOf(differences));
    }

    private static boolean isReplaced(List<Step> must, int at) {
        Step step = must.get(at);
        return step.isState()
                && must.subList(at + 1, must.size()).stream()
                        .anyMatch(later -> later.isState() && later.thing().equals(step.thing()));
    }

    private static String describe(
            int at, @org.jspecify.annotations.Nullable Step theirs, @org.jspecify.annotations.Nullable Step ours) {
        return at + ":\n    theirs " + theirs + "\n    ours   " + ours;
    }
}
