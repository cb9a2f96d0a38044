package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protocols A5: who gets how many copies of what is shown of a tree of runs; only of what is certain to come. */
abstract class TreeCopiesSuite extends Suite {

    @Test
    void journalAndProgress_goToHoldersOfTheTree() {
        Audience audience = Audience.of(base());
        WatchSocket tree = audience.owner.open();
        tree.subscribe(Audience.accountKey(audience.owner));
        String root = Trees.begin(audience.owner, audience.session, "/journal 1000", tree);
        audience.open("reader: tree", audience.reader, "runs/" + root);
        audience.open(
                "reader: tree and account", audience.reader, "runs/" + root, Audience.accountKey(audience.reader));
        WatchSocket refused = audience.stranger.open();
        assertEquals(
                "Run not found",
                refused.subscribe("runs/" + root).get("message").asText());
        Map<String, Integer> treeHolders = Map.of("reader: tree", 1, "reader: tree and account", 1);
        for (long each : new long[] {1, 999, 1000}) {
            audience.assertCopies(
                    Map.of(),
                    frame -> type(frame).equals("append")
                            && frame.path("runId").asText().equals(root)
                            && frame.path("seq").asLong() == each,
                    treeHolders);
        }
        // Progress on the way may be merged or dropped; the last of it is not.
        audience.assertCopies(
                Map.of(),
                frame -> frame.at("/patch/progress/fraction").asDouble() == 1.0
                        && frame.path("runId").asText().equals(root),
                treeHolders);
        audience.assertCopies(
                Map.of(),
                frame -> isRun(frame, "succeeded")
                        && frame.at("/value/id").asText().equals(root),
                Map.of(
                        "owner: account", 1,
                        "owner: all", 1,
                        "writer: account", 1,
                        "writer: all", 1,
                        "reader: all", 1,
                        "reader: tree", 1,
                        "reader: tree and account", 1));
    }
}
