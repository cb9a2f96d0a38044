package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the suites share: where the server is, accounts, and what frames are.
 *
 * <p>Threads: as JUnit does.
 */
abstract class Suite {

    /** Where the server is, without a slash at the end. */
    abstract URI base();

    final SignedClient newAccount() {
        return SignedClient.newAccount(base());
    }

    static List<String> steps(List<JsonNode> frames) {
        return frames.stream()
                .map(frame -> switch (type(frame)) {
                    case "append" ->
                        frame.get("event").get("event").path("role").asText();
                    case "change" -> frame.get("value").path("status").asText();
                    case "appendPartial" -> {
                        JsonNode patch = frame.get("patch");
                        yield patch.has("textDelta")
                                ? "delta"
                                : patch.has("done")
                                        ? "done"
                                        : patch.path("activity").path("phase").asText();
                    }
                    default -> type(frame);
                })
                .collect(Collectors.toCollection(ArrayList::new));
    }

    static String deltas(List<JsonNode> frames) {
        return frames.stream()
                .filter(frame -> type(frame).equals("appendPartial"))
                .map(frame -> frame.get("patch").path("textDelta").asText(""))
                .collect(Collectors.joining());
    }

    static boolean isStatus(JsonNode frame, String session, String status) {
        return type(frame).equals("change")
                && frame.get("key").asText().equals("sessions/" + session)
                && frame.get("value").path("status").asText().equals(status);
    }

    static List<JsonNode> tail(WatchSocket socket, int from) {
        List<JsonNode> frames = socket.frames();
        return frames.subList(Math.min(from, frames.size()), frames.size());
    }

    static boolean isDelta(JsonNode frame) {
        return type(frame).equals("appendPartial") && frame.get("patch").has("textDelta");
    }

    static void invite(SignedClient owner, SignedClient guest, String agent, String role) {
        owner.call("InviteAgentCollaborator", Map.of("agentId", agent, "accountId", guest.account(), "role", role));
    }

    static long hints(List<JsonNode> frames, String reason, String status) {
        return frames.stream()
                .filter(f -> isHint(f, reason) && status(f).equals(status))
                .count();
    }

    static boolean isHint(JsonNode frame, String reason) {
        return type(frame).equals("change")
                && frame.get("value").path("reason").asText().equals(reason);
    }

    static String status(JsonNode hint) {
        return hint.get("value").path("session").path("status").asText();
    }

    static boolean isRun(JsonNode frame, String status) {
        return type(frame).equals("change")
                && frame.get("key").asText().startsWith("runs/")
                && frame.get("value").path("status").asText().equals(status);
    }
}
