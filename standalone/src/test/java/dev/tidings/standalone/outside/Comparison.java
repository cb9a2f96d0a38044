package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.standalone.outside.Transcript.Numbered;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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

    private Map<String, List<Expected>> expect(String socket, List<Numbered> frames) {
        Keys keys = new Keys(transcript.watchesWork(socket));
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

    /** Whether our frames on a socket are as many as theirs where theirs had come to a record. */
    boolean showsAsMuch(String socket, int record, List<JsonNode> frames) {
        Map<String, List<Step>> shown = ours(socket, frames);
        return expected.getOrDefault(socket, Map.of()).entrySet().stream().allMatch(key -> {
            List<Step> must = key.getValue().stream()
                    .filter(step -> step.index() < record)
                    .flatMap(step -> Stream.ofNullable(step.ours()))
                    .toList();
            List<Step> ours = shown.getOrDefault(key.getKey(), List.of());
            return ours.size() >= must.size() || Alignment.of(must, ours).reachesTheEnd();
        });
    }

    /** Our frames as steps, by key, as they are compared. */
    private Map<String, List<Step>> ours(String socket, List<JsonNode> frames) {
        Keys keys = new Keys(transcript.watchesWork(socket));
        Map<String, List<Step>> byKey = new LinkedHashMap<>();
        for (JsonNode frame : frames) {
            Step step = Step.of(keys.name(frame), frame);
            List<Step> before = byKey.computeIfAbsent(step.key(), any -> new ArrayList<>());
            boolean moreText = step.isText()
                    && !before.isEmpty()
                    && before.get(before.size() - 1).isText();
            if (!moreText && !isOursAlone(frame)) {
                before.add(withoutAdditions(step));
            }
        }
        return byKey;
    }

    /** Whether a frame is one of those of which ours may have more. */
    private boolean isOursAlone(JsonNode frame) {
        String reason = frame.at("/value/reason").asText();
        if (reason.equals("session-updated")
                && frame.at("/value/activity").isObject()
                && !transcript.showsStatusHints()) {
            used.add(Difference.STATUS_HINTS);
            return true;
        }
        return isPaced(frame);
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
            List<JsonNode> frames = ours.getOrDefault(socket, List.of());
            Map<String, List<Step>> shown = ours(socket, frames);
            Set<String> all = new LinkedHashSet<>(keys.keySet());
            all.addAll(shown.keySet());
            for (String key : all) {
                List<Expected> theirs = keys.getOrDefault(key, List.of());
                Alignment.of(
                                theirs.stream()
                                        .flatMap(each -> Stream.ofNullable(each.ours()))
                                        .toList(),
                                shown.getOrDefault(key, List.of()))
                        .differences()
                        .forEach(difference -> differences.add(socket + ", " + key + ", " + difference));
            }
            boolean paced = keys.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(each -> each.why() == Difference.HINT_PACE);
            if (paced && frames.stream().noneMatch(frame -> isPaced(frame))) {
                differences.add(socket + ": no session-event at all");
            }
        });
        return differences;
    }

    private static boolean isPaced(JsonNode frame) {
        return frame.at("/value/reason").asText().equals("session-event");
    }

    /**
     * Names for keys: their kind, and which of that kind it is on the socket; of a run tree that is watched while it works
     * also which run, since runs work at once and nobody promises whose news come first.
     */
    private static final class Keys {
        private final Map<String, Map<String, Integer>> seen = new LinkedHashMap<>();
        private final Map<String, Integer> depths = new HashMap<>();
        private final boolean apart;

        Keys(boolean apart) {
            this.apart = apart;
        }

        String name(JsonNode frame) {
            String key = frame.path("key").asText("");
            if (key.isEmpty() || frame.path("_").asText().equals("error")) {
                return "answers";
            }
            String kind = key.replaceFirst("/.*", "");
            Map<String, Integer> known = seen.computeIfAbsent(kind, any -> new LinkedHashMap<>());
            known.putIfAbsent(key, known.size() + 1);
            return kind + " " + known.get(key) + (apart ? depth(frame) : "");
        }

        private String depth(JsonNode frame) {
            if (frame.at("/value/depth").isInt()) {
                depths.put(
                        frame.at("/value/id").asText(), frame.at("/value/depth").asInt());
                return ", depth " + frame.at("/value/depth").asInt();
            }
            Integer known = depths.get(frame.path("runId").asText());
            return known == null ? "" : ", depth " + known;
        }
    }
}
