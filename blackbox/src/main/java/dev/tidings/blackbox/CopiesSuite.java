package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protocols A5: who gets how many copies of what; a test for each row of its table. */
abstract class CopiesSuite extends Suite {

    private static final Map<String, Integer> SESSION_HOLDERS =
            Map.of("owner: session", 1, "owner: all", 1, "writer: all", 1, "reader: all", 1);
    private static final Map<String, Integer> AGENT_HOLDERS =
            Map.of("owner: agent", 1, "owner: all", 1, "writer: all", 1, "reader: agent", 1, "reader: all", 1);
    private static final Map<String, Integer> MEMBERS =
            Map.of("owner: account", 1, "owner: all", 1, "writer: account", 1, "writer: all", 1, "reader: all", 1);

    @Test
    void sessionEvent_isAppendedToHoldersOfTheSession() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "hello");
        for (long seq : new long[] {1, 2}) {
            audience.assertCopies(since, frame -> isAppend(frame, audience.session, seq), SESSION_HOLDERS);
        }
    }

    @Test
    void partial_goesToHoldersOfTheSession() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "hello");
        audience.assertCopies(
                since,
                frame ->
                        isPartial(frame, audience.session) && frame.get("patch").has("done"),
                SESSION_HOLDERS);
        audience.assertCopies(
                since,
                frame -> isPartial(frame, audience.session)
                        && frame.at("/patch/activity/phase").asText().equals("starting"),
                SESSION_HOLDERS);
    }

    @Test
    void sessionChange_goesToHoldersOfTheSessionAndOfTheAgent() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "hello");
        audience.assertCopies(
                since,
                frame -> isStatus(frame, audience.session, "idle"),
                Map.of(
                        "owner: agent", 1,
                        "owner: session", 1,
                        "owner: all", 1,
                        "writer: all", 1,
                        "reader: agent", 1,
                        "reader: all", 1));
    }

    @Test
    void agentChange_goesToHoldersOfTheAgent_eachInItsRole() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.owner.call("UpdateAgent", Map.of("agentId", audience.agent, "definition", Map.of("name", "Renamed")));
        audience.assertCopies(
                since,
                frame -> isAgent(frame, audience.agent)
                        && frame.at("/value/definition/name").asText().equals("Renamed"),
                AGENT_HOLDERS);
        AGENT_HOLDERS
                .keySet()
                .forEach(name -> assertEquals(
                        name.replaceFirst(":.*", ""),
                        audience.socket(name)
                                .awaitFrom(since.getOrDefault(name, 0), frame -> isAgent(frame, audience.agent))
                                .at("/value/accessRole")
                                .asText(),
                        name));
    }

    @Test
    void runChange_goesToHoldersOfTheTreeAndToMembers() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "hello");
        // The latest state wins, so that only the last one is certain to be seen by all.
        audience.assertCopies(
                since,
                frame -> isRun(frame, "succeeded")
                        && frame.at("/value/sessionId").asText().equals(audience.session),
                MEMBERS);
    }

    @Test
    void hint_goesToMembersAndToHoldersOfTheAgent_underTheirOwnKey() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "hello");
        Map<String, Integer> expected = Map.of(
                "owner: account", 1,
                "owner: agent", 1,
                "owner: all", 1,
                "writer: account", 1,
                "writer: all", 1,
                "reader: agent", 1,
                "reader: all", 1);
        audience.assertCopies(
                since,
                frame -> isHint(frame, "session-updated")
                        && frame.at("/value/sessionId").asText().equals(audience.session)
                        && status(frame).equals("idle"),
                expected);
        // The latest state wins: this one may have been replaced before it was sent.
        expected.keySet().forEach(name -> {
            List<JsonNode> ofSession = audience.socket(name).frames().stream()
                    .filter(frame -> frame.at("/value/sessionId").asText().equals(audience.session))
                    .toList();
            assertTrue(hints(ofSession, "session-updated", "streaming") <= 1, name);
        });
        expected.keySet()
                .forEach(name -> audience.socket(name).frames().stream()
                        .filter(frame -> frame.path("value").has("reason"))
                        .forEach(frame -> assertEquals(
                                Audience.accountKey(audience.holder(name)),
                                frame.get("key").asText(),
                                name)));
    }

    @Test
    void invitation_isHintedToTheInviteeAndTheOwner() {
        Audience audience = Audience.of(base());
        Map<String, Integer> since = audience.mark();
        invite(audience.owner, audience.stranger, audience.agent, "reader");
        audience.assertCopies(since, frame -> isHint(frame, "agent-invites-changed"), Map.of("stranger: account", 1));
        audience.assertCopies(
                since,
                frame -> isHint(frame, "agent-collaborators-changed"),
                Map.of("owner: account", 1, "owner: agent", 1, "owner: all", 1));
    }

    /** A public reader sees the session and the agent; hints come under the owner's key, and run changes not at all. */
    @Test
    void publicReader_getsHintsUnderTheOwnersKey_untilItIsSwitchedOff() {
        Audience audience = Audience.of(base());
        SignedClient visitor = newAccount();
        audience.owner.call("SetAgentPublicRead", Map.of("agentId", audience.agent, "publicRead", true));
        audience.open("public: agent", visitor, audience.agentKey());
        audience.open("public: session", visitor, audience.sessionKey());
        audience.open("public: account", visitor, Audience.accountKey(visitor));
        Map<String, Integer> since = audience.mark();
        audience.writer.message(audience.session, "seen by all");
        WatchSocket agent = audience.socket("public: agent");
        JsonNode hint = agent.await(frame -> isHint(frame, "session-updated")
                && status(frame).equals("idle")
                && frame.at("/value/sessionId").asText().equals(audience.session));
        assertEquals(Audience.accountKey(audience.owner), hint.get("key").asText());
        assertEquals(List.of(1L, 2L), awaited(audience.socket("public: session"), audience.session, 2));
        assertTrue(agent.frames().stream().noneMatch(frame -> isRun(frame, "succeeded")));
        assertEquals(
                since.getOrDefault("public: account", 0),
                audience.socket("public: account").size(),
                "a public reader's account gets nothing");
        assertEquals(403, visitor.messageAsync(audience.session, "mine").join().status());

        audience.owner.call("SetAgentPublicRead", Map.of("agentId", audience.agent, "publicRead", false));
        Map<String, Integer> off = audience.mark();
        audience.owner.message(audience.session, "behind closed doors");
        audience.assertCopies(off, frame -> isAppend(frame, audience.session, 3), SESSION_HOLDERS);
        for (String name : List.of("public: agent", "public: session")) {
            List<JsonNode> heard = audience.socket(name).frames();
            assertFalse(
                    heard.subList(since.getOrDefault(name, 0), heard.size()).stream()
                            .anyMatch(frame -> frame.toString().contains("closed doors")
                                    || frame.at("/event/seq").asLong() > 2
                                    || frame.at("/value/session/updatedAt").asLong()
                                            > hint.at("/value/session/updatedAt")
                                                    .asLong()),
                    () -> name + " heard " + heard);
        }
        assertEquals(
                "Session not found",
                audience.socket("public: session")
                        .subscribe(audience.sessionKey())
                        .get("message")
                        .asText());
    }

    private static List<Long> awaited(WatchSocket socket, String session, long seq) {
        socket.awaitSeq(session, seq);
        return socket.seqs(session);
    }

    private static boolean isAppend(JsonNode frame, String session, long seq) {
        return type(frame).equals("append")
                && frame.at("/event/sessionId").asText().equals(session)
                && frame.at("/event/seq").asLong() == seq;
    }

    private static boolean isPartial(JsonNode frame, String session) {
        return type(frame).equals("appendPartial") && frame.get("key").asText().equals("sessions/" + session);
    }

    private static boolean isAgent(JsonNode frame, String agent) {
        return type(frame).equals("change") && frame.get("key").asText().equals("agents/" + agent);
    }
}
