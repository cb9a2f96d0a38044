package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Run trees, as tests begin and read them. */
final class Trees {
    private Trees() {}

    /**
     * Says something in a session and gives the root of the run that it starts, without waiting for its end.
     *
     * @param account a socket that is subscribed to an account of the agent
     */
    static String begin(SignedClient client, String session, String text, WatchSocket account) {
        int before = account.size();
        client.messageAsync(session, text);
        JsonNode queued = account.awaitFrom(
                before,
                frame -> type(frame).equals("change")
                        && frame.get("key").asText().startsWith("runs/")
                        && frame.at("/value/sessionId").asText().equals(session)
                        && frame.at("/value/depth").asInt() == 0);
        return queued.at("/value/rootRunId").asText();
    }

    /** The journal entries of a run that came to a socket, as their numbers. */
    static List<Long> journal(WatchSocket socket, String run) {
        return socket.frames().stream()
                .filter(frame -> type(frame).equals("append")
                        && frame.path("runId").asText().equals(run))
                .map(frame -> frame.get("seq").asLong())
                .toList();
    }

    static JsonNode awaitJournal(WatchSocket socket, String run, long seq) {
        return socket.await(frame -> type(frame).equals("append")
                && frame.path("runId").asText().equals(run)
                && frame.path("seq").asLong() == seq);
    }

    static JsonNode awaitRun(WatchSocket socket, String run, String status) {
        return socket.await(frame ->
                Suite.isRun(frame, status) && frame.at("/value/id").asText().equals(run));
    }
}
