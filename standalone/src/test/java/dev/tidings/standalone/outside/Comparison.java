package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.standalone.outside.Transcript.Numbered;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
                before.add(changed(socket, numbered.index(), theirs, before));
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
        if (reason.equals("agent-invites-changed") && isRemoved(numbered, subscribed)) {
            return Optional.of(Difference.REMOVED_IS_SILENT);
        }
        if (step.what().equals("change queued") && comesBehind(before, "change waiting")) {
            return Optional.of(Difference.GOES_ON_RUNNING);
        }
        if (isWithoutThePlanBefore(step, before)) {
            return Optional.of(Difference.PLAN_STAYS);
        }
        if (step.what().startsWith("hint")
                && !before.isEmpty()
                && before.get(before.size() - 1).theirs().equals(step)
                && before.get(before.size() - 1).why() != Difference.SENT_TWICE) {
            return Optional.of(Difference.SENT_TWICE);
        }
        return Optional.empty();
    }

    private static boolean comesBehind(List<Expected> before, String what) {
        return before.stream().anyMatch(each -> each.theirs().what().equals(what));
    }

    /** Whether a state is the one before it without its plan. */
    private static boolean isWithoutThePlanBefore(Step step, List<Expected> before) {
        if (before.isEmpty() || !step.isState()) {
            return false;
        }
        Step last = before.get(before.size() - 1).theirs();
        return !last.equals(step)
                && last.what().equals(step.what())
                && last.without("value.plan").equals(step);
    }

    /** Whether a hint came to somebody who was removed before and has no account key on that socket. */
    private boolean isRemoved(Numbered numbered, Set<String> subscribed) {
        return !any(subscribed, "account/")
                && transcript.records().subList(0, numbered.index()).stream()
                        .anyMatch(record -> record.path("note").asText().startsWith("revoke"));
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

    /** What ours must show in the place of theirs, where that is not the same. */
    private Expected changed(String socket, int index, Step theirs, List<Expected> before) {
        Step ours = theirs;
        Difference why = null;
        for (Rule rule : Rule.ALL) {
            Step changed = rule.apply(ours);
            if (!changed.equals(ours)) {
                why = rule.why();
                used.add(why);
                ours = changed;
            }
        }
        String note = transcript.noteBefore(socket, index);
        if (theirs.what().matches("error: (CBOR decode error|JSON Parse error|TypedArray).*")
                || note.equals("CBOR undefined")) {
            why = Difference.CBOR_WORDING;
            ours = ours.with(Step.WORDING, ours.members());
        }
        if (note.equals("key array")) {
            why = Difference.KEY_IS_TEXT;
            ours = ours.with("error: Subscription key is not authorized", Set.of("message"));
        }
        if (ours.isState() && comesBehind(before, ours.thing(), "value.plan") && !ours.has("value.plan.steps")) {
            why = Difference.PLAN_STAYS;
            ours = ours.and("value.plan.ownerRunId", "value.plan.settledAt", "value.plan.steps", "value.plan.title");
        }
        if (why != null) {
            used.add(why);
        }
        return new Expected(index, theirs, ours, why);
    }

    /** Whether a state of the same thing came before that had such a member. */
    private static boolean comesBehind(List<Expected> before, String thing, String member) {
        return before.stream()
                .map(Expected::theirs)
                .anyMatch(step -> step.isState() && step.thing().equals(thing) && step.has(member + ".steps"));
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
            Step whole = Step.of(keys.name(frame), frame);
            List<Step> before = byKey.computeIfAbsent(whole.key(), any -> new ArrayList<>());
            Step step = withoutAdditions(whole);
            Step last = before.isEmpty() ? null : before.get(before.size() - 1);
            if (step.isText() && last != null && last.isText() || isOursAlone(frame)) {
                continue;
            }
            if (step.equals(last) && whole.has("value.childRunCount")) {
                // The count of its children is all that is new.
                used.add(Difference.CHILD_COUNT);
            } else if (!isEarlier(socket, step, last)) {
                before.add(step);
            }
        }
        endPartials(byKey);
        return byKey;
    }

    /** Whether a socket that subscribed to a working tree saw a state from before theirs did; that is a matter of moments. */
    private boolean isEarlier(String socket, Step step, @Nullable Step last) {
        List<Expected> theirs = expected.getOrDefault(socket, Map.of()).getOrDefault(step.key(), List.of());
        return last == null
                && step.what().startsWith("change queued")
                && !theirs.isEmpty()
                && !theirs.get(0).theirs().what().startsWith("change queued");
    }

    /** Takes the ends of partials out that precede a failure. */
    private void endPartials(Map<String, List<Step>> byKey) {
        byKey.values().forEach(steps -> {
            for (int i = steps.size() - 1; i > 0; i--) {
                if (steps.get(i).what().equals("change error")
                        && steps.get(i - 1).what().equals("partial done")) {
                    steps.remove(i - 1);
                    used.add(Difference.PARTIALS_END);
                }
            }
        });
    }

    /** A hint of a session's new status. */
    static boolean isStatusHint(JsonNode frame) {
        return frame.at("/value/reason").asText().equals("session-updated")
                && frame.at("/value/activity").isObject();
    }

    /** Whether a frame is one of those of which ours may have more. */
    private boolean isOursAlone(JsonNode frame) {
        String reason = frame.at("/value/reason").asText();
        if (isStatusHint(frame) && !transcript.showsStatusHints()) {
            used.add(Difference.STATUS_HINTS);
            return true;
        }
        if (reason.equals("session-created") && transcript.name().equals("runs-script")) {
            // The first session was there before anybody listened; this one is the workflow's.
            used.add(Difference.CHILD_SESSIONS);
            return true;
        }
        return isPaced(frame);
    }

    private Step withoutAdditions(Step step) {
        Step ours =
                step.what().startsWith("error: Not canonical") || step.what().startsWith("error: A text message must")
                        ? step.with(Step.WORDING, step.members())
                        : step;
        String kind = step.what().replaceFirst("[: ].*", "");
        Step plain = switch (kind) {
            case "subscribed" -> ours.without("epoch", "headSeq", "status", "cursor");
            case "error" -> ours.without("code", "key", "serverTime", "skewMs");
            case "append" ->
                ours.without("cursor", "event.event.clientMessageId", "event.event.code", "event.event.runId");
            default -> ours;
        };
        if (!plain.members().equals(step.members())) {
            used.add(Difference.ADDITIONS);
        }
        Step uncounted = plain.without("value.childRunCount");
        if (!uncounted.equals(plain)) {
            used.add(Difference.CHILD_COUNT);
        }
        return asIfNotStopped(uncounted);
    }

    /** A message of a turn that was stopped, as theirs says it. */
    private Step asIfNotStopped(Step step) {
        if (!step.has("event.event.interrupted")) {
            return step;
        }
        used.add(Difference.STOPPED_MESSAGE);
        return step.without("event.event.interrupted")
                .and(
                        "event.event.meta.model",
                        "event.event.meta.provider",
                        "event.event.meta.usage.cacheRead",
                        "event.event.meta.usage.cacheWrite",
                        "event.event.meta.usage.input",
                        "event.event.meta.usage.output",
                        "event.event.meta.usage.total");
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
            boolean paced =
                    keys.values().stream().flatMap(List::stream).anyMatch(each -> each.why() == Difference.HINT_PACE);
            if (paced && frames.stream().noneMatch(frame -> isPaced(frame))) {
                differences.add(socket + ": no session-event at all");
            }
        });
        return differences;
    }

    /** A hint of which there may be any number. */
    static boolean isPaced(JsonNode frame) {
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
