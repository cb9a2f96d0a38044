package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.SimSocket.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Somebody with a socket, who subscribes, cancels, stalls, goes away and comes back with the cursors it has.
 *
 * <p>Threads: one.
 */
final class SimClient {
    private final Simulation world;
    private final Random random;
    private final int number;
    private final Map<Channel, Long> cursors = new LinkedHashMap<>();
    private final Map<Channel, Subscription> subscriptions = new LinkedHashMap<>();
    private final Map<Channel, SimView> views = new LinkedHashMap<>();
    private final List<SimSocket> old = new ArrayList<>();
    private SimSocket socket;
    private Outbox outbox;
    private int named;
    // Set while one of its acts is under way: a protocol handles the messages of one socket one by one.
    private boolean busy;
    private boolean told;

    SimClient(Simulation world, int number) {
        this.world = world;
        this.random = world.random;
        this.number = number;
        socket = new SimSocket(world, mode());
        outbox = world.delivery().open(socket);
    }

    private Mode mode() {
        return world.calm() || random.nextInt(3) > 0
                ? (random.nextBoolean() ? Mode.AT_ONCE : Mode.SOON)
                : List.of(Mode.values()).get(random.nextInt(Mode.values().length));
    }

    void act() {
        if (busy) {
            return;
        }
        busy = true;
        try {
            if (socket.open) {
                actConnected(random.nextInt(20));
            } else if (random.nextInt(3) == 0) {
                note("goes away");
                outbox.closed();
                told = true;
            } else if (random.nextInt(2) == 0) {
                reconnect();
            }
        } finally {
            busy = false;
        }
    }

    private void actConnected(int dice) {
        if (dice < 8) {
            subscribe(world.channels().get(random.nextInt(world.channels().size())));
        } else if (dice < 9 && !subscriptions.isEmpty()) {
            cancel(List.copyOf(subscriptions.keySet()).get(random.nextInt(subscriptions.size())));
        } else if (dice < 13) {
            answer();
        } else if (dice < 16) {
            socket.mode(mode());
            note("mode " + socket.mode);
        } else if (dice < 17 && !world.calm()) {
            note("breaks down");
            socket.breakDown();
        } else if (dice < 18 && !world.calm() && random.nextInt(4) == 0) {
            note("is disconnected");
            outbox.disconnect(Disconnect.GOING_AWAY);
        } else {
            outbox.heard();
        }
    }

    private void answer() {
        int index = ++socket.answersSent;
        if (random.nextInt(4) == 0) {
            // Tells of what is behind a gate, and of nothing if that is closed when its turn comes.
            int told = random.nextInt(3);
            outbox.answer(
                    Frame.ofText("h|" + index + "|" + told), List.of(world.gate(told)), Frame.ofText("a|" + index));
            return;
        }
        outbox.answer(Frame.ofText("a|" + index + (random.nextInt(9) == 0 ? "|" + "y".repeat(300) : "")));
    }

    private void subscribe(Channel channel) {
        Subscription subscription = outbox.subscribe(channel, world.gateOf(channel.key()));
        Map<String, Integer> before = world.published(channel.key());
        Map<String, Integer> textBefore = world.lengths(channel.key());
        views.remove(channel);
        socket.over(channel);
        subscriptions.put(channel, subscription);
        world.gracing(channel);
        if (random.nextInt(8) == 0) {
            note("subscribes, does not start " + Simulation.name(channel) + " " + channel.key());
            return;
        }
        long head = world.reaches(channel.key());
        long cursor = random.nextInt(3) == 0
                ? random.nextInt((int) head + 1)
                : random.nextInt(4) == 0 ? head : cursors.getOrDefault(channel, 0L);
        Map<String, Long> seen = world.versions(channel.key());
        // Some things an opening never shows; what it has shown once is not shown again by the next subscription.
        seen.keySet().removeIf(key -> Math.floorMod(key.hashCode(), 3) == 0);
        String name = number + "." + named++;
        String opening = "o|" + Simulation.name(channel) + "|" + channel.key().text() + "|" + name;
        SimView view = new SimView(channel, cursor, opening, socket.answersSent, before, seen);
        view.textBefore.putAll(textBefore);
        boolean replays = random.nextInt(3) == 0;
        Map<String, Long> seenText = textSoFar(channel, view, replays ? view.behind : view.textEnds);
        note("subscribes " + opening + " from " + cursor);
        world.views.put(name, view);
        views.put(channel, view);
        socket.started(channel, view);
        Map<String, Long> shown = new HashMap<>();
        seen.forEach((key, version) -> {
            shown.put(Simulation.ownKey(channel, key), version);
            if (Simulation.isShared(key)) {
                view.shownShared.put(key, version);
            }
        });
        subscription.answer(Frame.ofText(
                "b|" + Simulation.name(channel) + "|" + channel.key().text() + "|" + name));
        if (replays) {
            startBehindTheReplay(subscription, view, shown, seenText);
        } else {
            subscription.start(cursor, List.of(Frame.ofText(opening)), shown, seenText);
        }
    }

    /** The text so far waits for the replay to be over; and the opening itself may have been outrun. */
    private void startBehindTheReplay(
            Subscription subscription, SimView view, Map<String, Long> shown, Map<String, Long> seenText) {
        Channel channel = view.channel;
        long until = Math.max(view.cursor, world.reaches(channel.key()));
        long leaveOut = random.nextBoolean() ? 0 : random.nextInt((int) until + 1);
        view.replay(until, leaveOut);
        List<Frame> behind = new ArrayList<>();
        view.behind.forEach((partial, upTo) -> behind.add(Frame.ofText(
                "c|" + Simulation.name(channel) + "|" + channel.key().text() + "|" + partial + "|" + upTo)));
        List<Frame> frames = List.of(Frame.ofText(view.opening));
        Opening begins = new Opening(view.cursor, frames, shown, until, leaveOut, behind, seenText);
        // Behind a closed gate an opening gets old while it waits.
        view.mustBeFresh = world.calm();
        if (!subscription.startUnlessOutdated(begins)) {
            view.mustBeFresh = false;
            subscription.start(begins);
        }
    }

    /** The opening may show the text so far, read after the subscription was made: at least what there was then. */
    private Map<String, Long> textSoFar(Channel channel, SimView view, Map<String, Integer> ends) {
        Map<String, Long> shown = new HashMap<>();
        world.lengths(channel.key()).forEach((partial, length) -> {
            if (random.nextBoolean() && ends.size() < 8) {
                int least = view.textBefore.getOrDefault(partial, 0);
                int upTo = least + random.nextInt(length - least + 1);
                shown.put(partial, (long) upTo);
                ends.put(partial, upTo);
            }
        });
        return shown;
    }

    private void cancel(Channel channel) {
        note("cancels " + Simulation.name(channel) + " " + channel.key());
        Subscription subscription = subscriptions.remove(channel);
        if (subscription != null) {
            subscription.cancel();
        }
        views.remove(channel);
        socket.over(channel);
        world.gracing(channel);
    }

    private void reconnect() {
        note("reconnects");
        Outbox before = outbox;
        old.add(socket);
        boolean late = random.nextBoolean();
        if (!late) {
            before.closed();
        }
        subscriptions.clear();
        views.clear();
        socket = new SimSocket(world, mode());
        outbox = world.delivery().open(socket);
        told = false;
        if (late) {
            before.closed();
        }
        List.copyOf(cursors.keySet()).forEach(this::subscribe);
    }

    // ---- what the world tells

    void progressed(SimSocket on, SimView view) {
        if (on == socket) {
            cursors.put(view.channel, view.position);
        }
    }

    void due(Channel channel, String snapshotKey, long version) {
        SimView view = views.get(channel);
        if (view != null) {
            view.due.merge(snapshotKey, version, Math::max);
        }
    }

    void grace(Object of) {
        socket.grace(of);
        // What was taken for one that is gone may still be handed over.
        old.forEach(gone -> gone.grace(of));
    }

    void mayBeHeard() {
        if (random.nextInt(8) > 0) {
            outbox.heard();
        }
    }

    void heard() {
        outbox.heard();
    }

    /** The network is well again. */
    void recover() {
        if (socket.open) {
            if (socket.mode != Mode.LOST && socket.mode != Mode.FAILING && socket.mode != Mode.THROWING) {
                socket.mode(Mode.SOON);
            }
            outbox.heard();
        }
    }

    void goAway() {
        outbox.closed();
    }

    // ---- the oracle

    void checkComplete(boolean calm) {
        if (!socket.open || told) {
            return;
        }
        assertTrue(
                socket.mode != Mode.LOST && socket.mode != Mode.FAILING && socket.mode != Mode.THROWING,
                "law 7: a socket that is of no use stays");
        assertEquals(socket.answersSent, socket.answersGot, "answers of client " + number);
        for (SimView view : views.values()) {
            checkComplete(view, calm);
        }
    }

    private void checkComplete(SimView view, boolean calm) {
        if (!world.gateOf(view.channel.key()).isOpen()) {
            return;
        }
        String what = "client " + number + " " + view.opening;
        assertTrue(view.answered, what + " has no answer");
        assertTrue(view.opened, what + " has no opening");
        assertTrue(view.behind.isEmpty(), what + " lacks the text so far, " + subscriptions.get(view.channel));
        if (view.channel.key().kind().durable()) {
            long head = world.reaches(view.channel.key());
            assertTrue(
                    view.complete(head),
                    "law 1: " + what + " is at " + view.position + " of " + head + ", " + outbox + ", "
                            + subscriptions.get(view.channel));
        }
        view.due.forEach((key, version) -> {
            if (world.itemGate(key) == null) {
                assertTrue(
                        Math.max(view.versions.getOrDefault(key, -1L), sharedVersion(key)) >= version,
                        "law 4: " + what + " lacks version " + version + " of " + key + ", "
                                + subscriptions.get(view.channel));
            }
        });
        if (world.keepsEnds(view.channel.key())) {
            assertTrue(view.ended.containsAll(view.endsDue), what + " lacks the end of a partial of " + view.endsDue);
        }
        if (calm) {
            checkSignals(view, what);
        }
        if (world.ample(view.channel.key())) {
            checkText(view, what);
        }
    }

    /** Law 4: no bound in bytes was reached, so all text came that was published since, whole. */
    private void checkText(SimView view, String what) {
        world.lengths(view.channel.key()).forEach((partial, length) -> {
            if (length > view.textBefore.getOrDefault(partial, 0)) {
                assertEquals(length, view.textEnds.get(partial), what + " law 4: the whole text of " + partial);
            }
        });
    }

    private long sharedVersion(String snapshotKey) {
        return Simulation.isShared(snapshotKey) ? socket.versions.getOrDefault(snapshotKey, -1L) : -1;
    }

    /** Whoever had caught up when a partial began, and does not lag, gets all of it. */
    private void checkSignals(SimView view, String what) {
        view.textDue.forEach((partial, end) -> assertEquals(end, view.textEnds.get(partial), what + partial));
        view.signalsDue.forEach((partial, number) -> assertEquals(number, view.parts.get(partial), what + partial));
    }

    void signalDue(Channel channel, String partial, int index, boolean last) {
        SimView view = views.get(channel);
        boolean fromTheStart =
                index == 1 && view != null && view.opened && view.position == world.reaches(channel.key());
        if (Simulation.isText(partial)) {
            fromTheStart = false;
        }
        if (view != null && (fromTheStart || view.signalsDue.containsKey(partial))) {
            view.signalsDue.put(partial, index);
        }
        if (view != null && last) {
            view.endsDue.add(partial);
        }
    }

    void textDue(Channel channel, String partial, int offset, int end) {
        SimView view = views.get(channel);
        boolean fromTheStart =
                offset == 0 && view != null && view.opened && view.position == world.reaches(channel.key());
        if (view != null && (fromTheStart || view.textDue.containsKey(partial))) {
            view.textDue.put(partial, end);
        }
    }

    /** Whoever watches when a piece is published gets it before what is stored later. */
    void placeDue(Channel channel, String partial, int offset, long reaches) {
        SimView view = views.get(channel);
        if (view != null && view.opened) {
            view.placesDue.put(partial + '|' + offset, reaches);
        }
    }

    long outboxBytes() {
        return outbox.bytes();
    }

    int outboxSubscriptions() {
        return outbox.subscriptions();
    }

    /** The server is gone. */
    void cutOff() {
        socket.breakDown();
        outbox.closed();
        told = true;
        subscriptions.clear();
        views.clear();
    }

    @Nullable
    SimSocket socket() {
        return socket;
    }

    private void note(String what) {
        world.note("client " + number + " " + what);
    }
}
