package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.standalone.outside.Transcript.Numbered;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What ours must show where theirs showed what a transcript holds: the same, but for explained differences. Order is compared
 * within a key; pieces of text count as one, since how they are cut is nobody's promise.
 *
 * <p>Threads: one test's.
 */
final class Comparison {

    /**
     * A step of theirs.
     *
     * @param ours what we must show in its place; null for nothing
     * @param why the difference; null for none
     */
    record Expected(
            int index,
            Step theirs,
            @Nullable Step ours,
            @Nullable Difference why) {}

    private final Transcript transcript;
    private final Map<String, Map<String, List<Expected>>> expected = new LinkedHashMap<>();
    private final Set<Difference> used = EnumSet.noneOf(Difference.class);

    Comparison(Transcript transcript) {
        this.transcript = transcript;
        transcript.frames().forEach((socket, frames) -> expected.put(socket, expect(socket, frames)));
    }

    /** The differences that explained something. */
    Set<Difference> used() {
        return used;
    }

    Map<String, Map<String, List<Expected>>> expected() {
        return expected;
    }

    private Map<String, List<Expected>> expect(String socket, List<Numbered> frames) {
        Keys keys = new Keys();
        Set<String> subscribed = transcript.keys(socket);
        Map<String, List<Expected>> byKey = new LinkedHashMap<>();
        for (Numbered numbered : frames) {
            JsonNode frame = numbered.frame();
            Step theirs = Step.of(keys.name(frame), frame);
            List<Expected> before = byKey.computeIfAbsent(theirs.key(), any -> new ArrayList<>());
            if (theirs.isText()
                    && !before.isEmpty()
                    && before.get(before.size() - 1).theirs().isText()) {
                continue;
            }
            Optional<Difference> dropped = whyNot(numbered, theirs, subscribed, before);
            if (dropped.isPresent()) {
                used.add(dropped.get());
                before.add(new Expected(numbered.index(), theirs, null, dropped.get()));
            } else {
                before.add(changed(numbered.index(), theirs));
            }
        }
        return byKey;
    }

    private Optional<Difference> whyNot(Numbered numbered, Step step, Set<String> subscribed, List<Expected> before) {
        JsonNode frame = numbered.frame();
        String key = frame.path("key").asText();
        String reason = frame.at("/value/reason").asText();
        if (isLeak(numbered)) {
            return Optional.of(Difference.LEAK_AFTER_PUBLIC_READ);
        }
        if (!shows(subscribed, key, step)) {
            return Optional.of(Difference.ACCOUNT_CARRIES_HINTS);
        }
        if (Set.of("agent-memory-changed", "trigger-created").contains(reason)) {
            return Optional.of(Difference.NOT_OURS);
        }
        if (reason.equals("session-event")) {
            return Optional.of(Difference.HINT_PACE);
        }
        if (step.what().startsWith("hint")
                && !before.isEmpty()
                && before.get(before.size() - 1).theirs().equals(step)
                && before.get(before.size() - 1).why() != Difference.SENT_TWICE) {
            return Optional.of(Difference.SENT_TWICE);
        }
        return Optional.empty();
    }

    /** Whether protocols A5 sends such a frame to a socket with those subscriptions. */
    private static boolean shows(Set<String> subscribed, String key, Step step) {
        if (key.isEmpty() || subscribed.contains(key) || key.startsWith("account/")) {
            return true;
        }
        boolean change = step.what().startsWith("change");
        return change && key.startsWith("runs/") && any(subscribed, "account/")
                || change && key.startsWith("sessions/") && any(subscribed, "agents/");
    }

    private static boolean any(Set<String> keys, String prefix) {
        return keys.stream().anyMatch(key -> key.startsWith(prefix));
    }

    private boolean isLeak(Numbered numbered) {
        if (!transcript.name().equals("public")) {
            return false;
        }
        for (int i = 0; i < transcript.records().size() && i <= numbered.index(); i++) {
            JsonNode value = transcript.records().get(i).at("/frame/value");
            if (value.path("accessRole").asText().equals("reader")
                    && !value.path("publicRead").asBoolean(true)) {
                return true;
            }
        }
        return false;
    }

    private Expected changed(int index, Step theirs) {
        Step ours = theirs;
        Difference why = null;
        Step withoutActivity = ours.without("value.session.activity");
        if (!withoutActivity.equals(ours)) {
            why = Difference.NO_ACTIVITY_IN_SNAPSHOT;
            ours = withoutActivity;
        }
        Step withoutMarkdown = ours.without("event.event.rawMarkdown");
        if (!withoutMarkdown.equals(ours)) {
            why = Difference.RAW_MARKDOWN;
            ours = withoutMarkdown;
        }
        if (theirs.what().matches("error: (CBOR decode error|JSON Parse error|TypedArray).*")) {
            why = Difference.CBOR_WORDING;
            ours = ours.with("error: (what is wrong)", ours.members());
        }
        if (why != null) {
            used.add(why);
        }
        return new Expected(index, theirs, ours, why);
    }

    /** How many steps ours must have shown, by key, where theirs had come to a record. */
    Map<String, Integer> countsBefore(String socket, int record) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        expected.getOrDefault(socket, Map.of()).forEach((key, steps) -> {
            int count = (int) steps.stream()
                    .filter(step -> step.index() < record && step.ours() != null)
                    .count();
            if (count > 0) {
                counts.put(key, count);
            }
        });
        return counts;
    }

    /** How many steps of a key there are among our frames. */
    int count(String key, List<JsonNode> frames) {
        return ours(frames).getOrDefault(key, List.of()).size();
    }

    /** Our frames as steps, by key, as they are compared. */
    Map<String, List<Step>> ours(List<JsonNode> frames) {
        Keys keys = new Keys();
        Map<String, List<Step>> byKey = new LinkedHashMap<>();
        for (JsonNode frame : frames) {
            Step step = Step.of(keys.name(frame), frame);
            List<Step> before = byKey.computeIfAbsent(step.key(), any -> new ArrayList<>());
            boolean moreText = step.isText()
                    && !before.isEmpty()
                    && before.get(before.size() - 1).isText();
            boolean paced = frame.at("/value/reason").asText().equals("session-event");
            if (!moreText && !paced) {
                before.add(withoutAdditions(step));
            }
        }
        return byKey;
    }

    private Step withoutAdditions(Step step) {
        Step ours =
                step.what().startsWith("error: Not canonical") || step.what().startsWith("error: A text message must")
                        ? step.with("error: (what is wrong)", step.members())
                        : step;
        Step plain = switch (step.what().replaceFirst(":.*", "")) {
            case "subscribed" -> ours.without("epoch", "headSeq", "status", "cursor");
            case "error" -> ours.without("code", "key", "serverTime", "skewMs");
            default -> step.what().startsWith("append journal") ? ours.without("cursor") : ours;
        };
        if (!plain.members().equals(step.members())) {
            used.add(Difference.ADDITIONS);
        }
        return plain;
    }

    /** What an answer over HTTP differs in without an explanation. */
    Optional<String> answer(String theirs, String ours) {
        if (theirs.equals(ours)) {
            return Optional.empty();
        }
        if (theirs.equals("GetAgentResponse") && ours.equals("UpdateAgentResponse")) {
            used.add(Difference.RESPONSE_NAMES);
            return Optional.empty();
        }
        return Optional.of("theirs " + theirs + ", ours " + ours);
    }

    /** What is different without an explanation. */
    List<String> unexplained(Map<String, List<JsonNode>> ours) {
        List<String> differences = new ArrayList<>();
        expected.forEach((socket, keys) -> {
            Map<String, List<Step>> shown = ours(ours.getOrDefault(socket, List.of()));
            Set<String> all = new java.util.LinkedHashSet<>(keys.keySet());
            all.addAll(shown.keySet());
            for (String key : all) {
                List<Step> must = new ArrayList<>();
                for (Expected each : keys.getOrDefault(key, List.of())) {
                    if (each.ours() != null) {
                        must.add(each.ours());
                    }
                }
                compare(socket + " " + key, must, shown.getOrDefault(key, List.of()), differences);
            }
        });
        return differences;
    }

    private static void compare(String where, List<Step> theirs, List<Step> ours, List<String> differences) {
        for (int i = 0; i < Math.max(theirs.size(), ours.size()); i++) {
            Step their = i < theirs.size() ? theirs.get(i) : null;
            Step our = i < ours.size() ? ours.get(i) : null;
            if (their == null || !their.equals(our)) {
                differences.add(where + " " + i + ":\n    theirs " + their + "\n    ours   " + our);
            }
        }
    }

    /** Names for keys: their kind, and which of that kind it is on the socket. */
    private static final class Keys {
        private final Map<String, Map<String, Integer>> seen = new LinkedHashMap<>();

        String name(JsonNode frame) {
            String key = frame.path("key").asText("");
            if (!frame.has("key") || frame.path("_").asText().equals("error")) {
                return "answers";
            }
            String kind = key.replaceFirst("/.*", "");
            Map<String, Integer> known = seen.computeIfAbsent(kind, any -> new LinkedHashMap<>());
            known.putIfAbsent(key, known.size() + 1);
            return kind + " " + known.get(key);
        }
    }
}
