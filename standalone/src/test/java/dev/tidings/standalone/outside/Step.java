package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A frame without what differs from one server, and one day, to the next: what it is, and which members it has.
 *
 * <p>Threads: immutable.
 *
 * @param key the kind of its key and which of that kind it is
 * @param what what it says, in words
 * @param members the paths of its members
 */
record Step(String key, String what, Set<String> members) {
    /** What a refusal says whose words are its server's own. */
    static final String WORDING = "error: (what is wrong)";

    private static final Set<String> WHOLE = Set.of("definition", "input", "output", "entry", "children", "steps");

    static Step of(String key, JsonNode frame) {
        Set<String> members = new TreeSet<>();
        collect("", frame, members);
        members.removeAll(Set.of("_", "key"));
        return new Step(key, what(frame), members);
    }

    Step with(String otherWhat, Set<String> otherMembers) {
        return new Step(key, otherWhat, otherMembers);
    }

    /** Without the members whose paths begin like this. */
    Step without(String... prefixes) {
        Set<String> rest = new TreeSet<>(members);
        rest.removeIf(member -> {
            for (String prefix : prefixes) {
                if (member.equals(prefix) || member.startsWith(prefix + ".")) {
                    return true;
                }
            }
            return false;
        });
        return new Step(key, what, rest);
    }

    /** With further members. */
    Step and(String... more) {
        Set<String> all = new TreeSet<>(members);
        all.addAll(List.of(more));
        return new Step(key, what, all);
    }

    boolean has(String member) {
        return members.contains(member);
    }

    boolean isText() {
        return what.equals("text");
    }

    /** Whether it is the state of a session, an agent or a run. */
    boolean isState() {
        return what.startsWith("change");
    }

    /** What a state is of, but for its status: the depth of a run, the role in an agent. */
    String thing() {
        return what.replaceFirst("^change \\S* ?", "");
    }

    private static void collect(String path, JsonNode node, Set<String> members) {
        node.fields().forEachRemaining(field -> {
            String name = path + field.getKey();
            if (field.getValue().isObject() && !WHOLE.contains(field.getKey())) {
                collect(name + ".", field.getValue(), members);
            } else {
                members.add(name);
            }
        });
    }

    private static String what(JsonNode frame) {
        String type = frame.path("_").asText();
        return switch (type) {
            case "append" -> appended(frame);
            case "appendPartial" -> partial(frame.path("patch"));
            case "change" -> changed(frame.path("value"));
            case "error" -> "error: " + frame.path("message").asText();
            default -> type;
        };
    }

    private static String appended(JsonNode frame) {
        if (frame.has("entry")) {
            return "append journal " + frame.path("seq").asText() + " "
                    + frame.at("/entry/kind").asText();
        }
        JsonNode event = frame.at("/event/event");
        String kind = event.path("type").asText();
        String detail = event.path("role").asText(event.path("name").asText(""));
        return ("append " + frame.at("/event/seq").asText() + " " + kind + " " + detail).strip();
    }

    private static String partial(JsonNode patch) {
        if (patch.has("textDelta")) {
            return "text";
        }
        List<String> says = new ArrayList<>();
        if (patch.has("done")) {
            says.add("done");
        }
        if (patch.has("progress")) {
            says.add("progress");
        }
        if (patch.has("activity")) {
            says.add(patch.at("/activity/phase").asText());
        }
        return "partial " + String.join(" ", says);
    }

    private static String changed(JsonNode value) {
        if (value.has("reason")) {
            String status = value.at("/session/status").asText("");
            return ("hint " + value.get("reason").asText() + " " + status).strip();
        }
        List<String> says =
                new ArrayList<>(List.of("change", value.path("status").asText()));
        if (value.has("accessRole")) {
            says.add(value.get("accessRole").asText());
        }
        if (value.path("depth").asInt() > 0) {
            says.add("depth " + value.get("depth").asInt());
        }
        if (value.has("publicRead")) {
            says.add(value.get("publicRead").asBoolean() ? "public" : "private");
        }
        return String.join(" ", says);
    }
}
