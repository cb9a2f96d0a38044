package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: an engine in a world of fakes, driven by a seed.
 *
 * <p>Everything runs on one thread. What other threads could do in between is done where they could do it: whenever a
 * lock is about to be taken, and inside every call of the engine into the outside. No lock is held there, so each such
 * nesting is one that threads could produce.
 *
 * <p>Threads: one.
 */
final class Simulation {
    private static final int MAX_DEPTH = 3;

    /** A seed means the same on every machine. */
    private static final int PROCESSORS = 2;
    /** What a socket may remember of the few snapshots that there are. */
    private static final int SENT_BYTES = 20_000;

    final Random random;
    final SimExecutor executor;
    final Map<String, SimView> views = new HashMap<>();

    private final boolean calm;
    // Whether no bound in bytes is ever reached: then all text comes, however far behind a socket is.
    private final boolean ample;
    private final DeliveryLimits limits;
    private final SimLog log;
    private Delivery delivery;
    private final Map<String, SimTranslator> translators = new HashMap<>();
    private final List<StreamKey> keys =
            List.of(StreamKey.session("s1"), StreamKey.session("s2"), StreamKey.run("r1"), StreamKey.account("u1"));
    private final List<Channel> channels = new ArrayList<>();
    private final List<Gate> gates = List.of(new Gate(true), new Gate(true), new Gate(true));
    private final List<SimClient> clients = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();

    // Of each stream, up to where hints were given without one missing; how far they reached.
    private final Map<StreamKey, Long> hinted = new HashMap<>();
    private final List<EntriesStored> lateHints = new ArrayList<>();
    private final List<Runnable> lateSnapshots = new ArrayList<>();
    private final Map<String, Integer> published = new LinkedHashMap<>();
    // Of each partial that is text, how long it is.
    private final Map<String, Integer> lengths = new HashMap<>();
    // Of each snapshot key, the version of the row, and the newest that was published.
    private final Map<String, Long> versions = new HashMap<>();
    private final Map<String, Long> shown = new HashMap<>();
    private final Map<SimSocket, Map<Channel, SimView>> opened = new HashMap<>();
    private final Set<StreamKey> writing = new HashSet<>();
    private long now = 1_000_000_000L;
    private int depth;
    private int partials;
    private boolean logFailed;
    private boolean alone;
    private boolean joinFailed;
    private @Nullable Throwable fault;
    private boolean over;

    Simulation(long seed) {
        random = new Random(seed);
        calm = random.nextInt(6) == 0;
        limits = calm ? roomy() : narrow();
        ample = limits.windowMaxBytes() >= 1 << 16 && limits.maxBytes() == 1L << 30;
        executor = new SimExecutor(random, random.nextInt(7) == 0);
        log = new SimLog(limits.replayMaxReads(), this::meanwhile);
        delivery = engine();
        for (String name : List.of("full", "sparse")) {
            SimTranslator translator = new SimTranslator(name, name.equals("sparse"), this::meanwhile, this::mayFail);
            translators.put(name, translator);
            keys.forEach(key -> channels.add(new Channel(translator, key)));
        }
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            clients.add(new SimClient(this, i));
        }
    }

    private Delivery engine() {
        return new Delivery(limits, log, executor, executor, () -> now, PROCESSORS);
    }

    private static DeliveryLimits roomy() {
        return new DeliveryLimits(
                1 << 20,
                1 << 16,
                10_000,
                1 << 24,
                Duration.ofSeconds(5),
                2,
                3,
                1 << 20,
                Duration.ofMillis(50),
                Duration.ofSeconds(4),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3600),
                1L << 30);
    }

    private DeliveryLimits narrow() {
        return new DeliveryLimits(
                400 + random.nextInt(2000),
                random.nextInt(4) == 0 ? 2_000 : 60 + random.nextInt(300),
                3 + random.nextInt(12),
                random.nextInt(3) == 0 ? 1 << 16 : 150 + random.nextInt(1500),
                Duration.ofSeconds(2),
                1 + random.nextInt(2),
                1 + random.nextInt(5),
                1 << 20,
                Duration.ofMillis(50 + random.nextInt(500)),
                Duration.ofSeconds(4),
                Duration.ofSeconds(1),
                Duration.ofSeconds(9),
                random.nextInt(3) == 0 ? 300 + random.nextInt(4_000) : 1L << 30);
    }

    // ---- the schedule

    /** Runs the schedule to its end and checks everything. */
    void run() {
        // The engine survives what it does not expect; a failed check of a fake must not be survived.
        Trouble.watch(this::survived);
        EngineLock.meanwhile(() -> {
            if (!alone && random.nextInt(25) == 0) {
                meanwhile();
            }
        });
        try {
            int steps = 40 + random.nextInt(160);
            for (int i = 0; i < steps; i++) {
                step();
                checkNow();
            }
            comeToRest();
            checkComplete();
            checkNothingLeaks();
            rethrow();
        } finally {
            EngineLock.meanwhile(() -> {});
            Trouble.watch(trouble -> {});
        }
    }

    private void survived(Throwable trouble) {
        if (!MadeUp.is(trouble) && fault == null) {
            fault = trouble;
        }
    }

    private void rethrow() {
        if (fault != null) {
            throw new AssertionError("the engine survived " + fault, fault);
        }
    }

    /** Fails once in a while, while things may fail. */
    void mayFail() {
        if (!calm && !over && random.nextInt(150) == 0) {
            logFailed = true;
            note("out of memory");
            throw new MadeUp.OutOfMemory();
        }
    }

    boolean mayThrow() {
        return !calm && !over;
    }

    /** What holds after every step: bytes are counted once, sockets are bounded, counters are right. */
    private void checkNow() {
        rethrow();
        alone = true;
        try {
            Counters counters = delivery.counters();
            long recounted = delivery.recount();
            long used = counters.value(Counter.BYTES);
            assertTrue(used >= recounted, "law 4: " + used + " bytes are counted, there are " + recounted);
            assertEquals(delivery.sockets(), counters.value(Counter.SOCKETS), "sockets");
            long subscriptions = 0;
            for (SimClient client : clients) {
                assertTrue(
                        client.outboxBytes()
                                <= limits.outboxMaxBytes() + Math.max(limits.batchMaxBytes(), 600) + SENT_BYTES,
                        "law 4: a socket holds " + client.outboxBytes());
                subscriptions += client.outboxSubscriptions();
            }
            assertEquals(subscriptions, counters.value(Counter.SUBSCRIPTIONS), "subscriptions");
        } finally {
            alone = false;
        }
    }

    /** The process ends and starts again: nothing is left but the log and what the peers have. */
    private void restart() {
        note("restart");
        alone = true;
        clients.forEach(SimClient::cutOff);
        executor.clear();
        log.clear();
        delivery = engine();
        alone = false;
    }

    /** Something else happens, as if another thread did it. */
    void meanwhile() {
        if (depth < MAX_DEPTH && !over && !alone && random.nextInt(3) == 0) {
            depth++;
            step();
            depth--;
        }
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 40) {
            executor.runOne();
        } else if (dice < 52) {
            append(keys.get(random.nextInt(3)));
        } else if (dice < 60) {
            publishSignal();
        } else if (dice < 65) {
            publishSnapshots();
        } else if (dice < 68) {
            lateOnes();
        } else if (dice < 70) {
            toggleGate();
        } else if (dice < 73) {
            tick(random.nextInt(700));
        } else if (dice < 75) {
            compareHeads();
        } else if (dice < 77) {
            log.failing = !calm && !log.failing && random.nextBoolean();
            log.outOfMemory = log.failing && random.nextInt(3) == 0;
            logFailed |= log.failing;
            note("log failing " + log.failing);
        } else if (dice < 79) {
            executor.refusing = !calm && !executor.refusing && random.nextBoolean();
            note("executor refusing " + executor.refusing);
        } else if (dice == 79 && depth == 0 && !calm && random.nextInt(3) == 0) {
            restart();
        } else {
            clients.get(random.nextInt(clients.size())).act();
        }
    }

    private void append(StreamKey key) {
        List<StoredEntry> entries = log.append(key, 1 + random.nextInt(3));
        EntriesStored hint = new EntriesStored(key, entries);
        int fate = random.nextInt(10);
        note("append " + key + " up to " + log.reaches(key) + " fate " + fate);
        if (fate < 6) {
            hint(hint);
            if (fate == 0) {
                hint(hint);
            }
        } else if (fate < 9 && !calm) {
            lateHints.add(hint);
        } else if (calm) {
            hint(hint);
        }
    }

    private void hint(EntriesStored hint) {
        delivery.stored(hint);
        long last = hint.entries().get(hint.entries().size() - 1).position();
        hinted.merge(hint.stream(), last, Math::max);
    }

    private void lateOnes() {
        if (!lateHints.isEmpty()) {
            EntriesStored hint = lateHints.remove(random.nextInt(lateHints.size()));
            note("late hint " + hint.stream());
            hint(hint);
        }
        if (!lateSnapshots.isEmpty()) {
            lateSnapshots.remove(random.nextInt(lateSnapshots.size())).run();
        }
    }

    /** The signals of one stream come from one writer, in order. */
    private void publishSignal() {
        StreamKey key = keys.get(random.nextInt(keys.size()));
        if (writing.add(key)) {
            publishSignal(key);
            writing.remove(key);
        }
    }

    private void publishSignal(StreamKey key) {
        List<String> open = new ArrayList<>(published.keySet());
        open.removeIf(name -> !name.startsWith(key.id()) || name.endsWith("!"));
        String partial;
        if (open.isEmpty() || random.nextInt(6) == 0) {
            int item = key.kind().durable() || random.nextInt(3) > 0 ? -1 : random.nextInt(gates.size());
            partial = key.id() + "-p" + partials++ + (random.nextInt(3) > 0 ? "t" : "") + "g" + item;
        } else {
            partial = open.get(random.nextInt(open.size()));
        }
        int number = published.merge(partial, 1, Integer::sum);
        boolean last = random.nextInt(5) == 0;
        note("signal " + partial + " " + number + (last ? " last" : ""));
        long after = hinted.getOrDefault(key, 0L);
        if (last) {
            published.put(partial + "!", number);
            published.remove(partial);
        }
        if (isText(partial) && !last) {
            int burst = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
            for (int i = 0; i < burst; i++) {
                publishText(key, partial, after);
            }
            return;
        }
        for (Channel channel : channels) {
            if (channel.key().equals(key)) {
                String text = "s|" + name(channel) + "|" + key.text() + "|" + partial + "|" + number + "|"
                        + (last ? "last" : "more") + "|" + after;
                int count = number;
                if (itemGate(partial) == null) {
                    clients.forEach(client -> client.signalDue(channel, partial, count, last));
                }
                delivery.publish(channel, new Broadcast.Signal(Frame.ofText(text), partial, last, itemGate(partial)));
            }
        }
    }

    static boolean isText(String partial) {
        return partial.contains("t");
    }

    private void publishText(StreamKey key, String partial, long after) {
        int offset = lengths.getOrDefault(partial, 0);
        String added = text(offset, offset + 1 + random.nextInt(random.nextInt(6) == 0 ? 60 : 8));
        for (Channel channel : channels) {
            if (channel.key().equals(key)) {
                Broadcast.Pieces pieces = (from, joined) -> piece(channel, partial, from, joined, after);
                if (itemGate(partial) == null) {
                    clients.forEach(client -> client.textDue(channel, partial, offset, offset + added.length()));
                }
                boolean placed = !delivery.learning(channel);
                lengths.put(partial, offset + added.length());
                delivery.publish(
                        channel,
                        new Broadcast.Signal(
                                frame(channel, partial, offset, added, after),
                                partial,
                                false,
                                itemGate(partial),
                                new Broadcast.Text(offset, added, pieces)));
                if (placed) {
                    clients.forEach(client -> client.placeDue(channel, partial, offset, log.reaches(key)));
                }
            }
        }
    }

    private Frame piece(Channel channel, String partial, long offset, String added, long after) {
        assertTrue(EngineLock.noneHeld(), "law 8: pieces are joined under a lock");
        meanwhile();
        boolean before = joinFailed;
        joinFailed = true;
        mayFail();
        joinFailed = before;
        return frame(channel, partial, offset, added, after);
    }

    private static Frame frame(Channel channel, String partial, long offset, String added, long after) {
        return Frame.ofText("t|" + name(channel) + "|" + channel.key().text() + "|" + partial + "|" + offset + "|more|"
                + after + "|" + added);
    }

    /** The text of every partial, from one place to another. */
    static String text(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append((char) ('a' + (i * 7 + i / 26) % 26));
        }
        return text.toString();
    }

    private void publishSnapshots() {
        StreamKey key = keys.get(random.nextInt(keys.size()));
        int burst = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 1;
        for (int i = 0; i < burst; i++) {
            publishSnapshot(key);
        }
    }

    private void publishSnapshot(StreamKey key) {
        int item = key.kind().durable() || random.nextInt(3) > 0 ? -1 : random.nextInt(gates.size());
        String snapshotKey = key.id() + "-k" + random.nextInt(6) + "g" + item;
        long version = versions.merge(snapshotKey, 1L, Long::sum);
        Runnable publish = () -> {
            note("snapshot " + snapshotKey + " v" + version);
            boolean newest = shown.merge(snapshotKey, version, Math::max) == version;
            for (Channel channel : channels) {
                if (channel.key().equals(key)) {
                    String text = "n|" + name(channel) + "|" + key.text() + "|" + snapshotKey + "|" + version;
                    if (newest) {
                        clients.forEach(client -> client.due(channel, snapshotKey, version));
                    }
                    delivery.publish(
                            channel,
                            new Broadcast.Snapshot(
                                    ownKey(channel, snapshotKey), version, Frame.ofText(text), itemGate(snapshotKey)));
                }
            }
        };
        if (random.nextInt(3) == 0) {
            lateSnapshots.add(publish);
        } else {
            publish.run();
        }
    }

    /** A socket is sent what its channels share but once; of the others, each channel shows its own. */
    static String ownKey(Channel channel, String snapshotKey) {
        return isShared(snapshotKey) ? snapshotKey : name(channel) + ' ' + snapshotKey;
    }

    static boolean isShared(String snapshotKey) {
        return snapshotKey.contains("-k4") || snapshotKey.contains("-k5");
    }

    Gate gate(int number) {
        return gates.get(number);
    }

    private void toggleGate() {
        Gate gate = gates.get(random.nextInt(gates.size()));
        if (!calm && gate.isOpen()) {
            note("close gate " + gates.indexOf(gate));
            gate.close();
            gracing(gate);
        } else {
            note("open gate " + gates.indexOf(gate));
            gate.open();
        }
    }

    /** In the middle of other work, one send may have been taken before. */
    void gracing(Object of) {
        if (depth > 0) {
            clients.forEach(client -> client.grace(of));
        }
    }

    private void tick(int millis) {
        now += Duration.ofMillis(millis).toNanos();
        note("tick " + millis);
        clients.forEach(SimClient::mayBeHeard);
        delivery.tick();
    }

    private void compareHeads() {
        note("compare heads");
        log.comparing++;
        delivery.compareHeads();
        log.comparing--;
    }

    // ---- the end

    private void comeToRest() {
        over = true;
        note("come to rest");
        log.failing = false;
        log.outOfMemory = false;
        executor.refusing = false;
        lateSnapshots.forEach(Runnable::run);
        for (Gate gate : gates) {
            if (random.nextInt(4) > 0) {
                gate.open();
            }
        }
        clients.forEach(SimClient::recover);
        for (int round = 0; round < 12; round++) {
            executor.runAll();
            compareHeads();
            executor.runAll();
            now += Duration.ofMillis(600).toNanos();
            clients.forEach(SimClient::heard);
            delivery.tick();
            checkNow();
        }
        executor.runAll();
        now += RecentPages.KEEP_NANOS;
        delivery.tick();
        executor.runAll();
        assertEquals(
                delivery.recount(),
                delivery.counters().value(Counter.BYTES),
                () -> "law 4: pages that are held " + delivery);
        assertEquals(0, delivery.pageReads(), "page reads that never end");
    }

    private void checkComplete() {
        for (SimClient client : clients) {
            client.checkComplete(calm);
        }
    }

    private void checkNothingLeaks() {
        clients.forEach(SimClient::goAway);
        executor.runAll();
        now += limits.windowLinger().toNanos() + RecentPages.KEEP_NANOS + 1;
        delivery.tick();
        executor.runAll();
        assertEquals(0, delivery.sockets(), "sockets that are left");
        assertEquals(0, delivery.streams(), "streams that are left");
        assertEquals(0, delivery.counters().value(Counter.BYTES), "bytes that are left");
        assertEquals(0, delivery.counters().value(Counter.SUBSCRIPTIONS), "subscriptions that are left");
        gates.forEach(gate -> assertEquals(0, gate.size(), "subscriptions behind a gate"));
    }

    // ---- what the others ask

    Channel channel(String translator, String key) {
        for (Channel channel : channels) {
            if (name(channel).equals(translator) && channel.key().text().equals(key)) {
                return channel;
            }
        }
        throw new AssertionError(translator + " " + key);
    }

    static String name(Channel channel) {
        return ((SimTranslator) channel.translator()).name();
    }

    /** The gate of an agent: s1 and its run tree, or s2, or whatever the account sees. */
    Gate gateOf(StreamKey key) {
        return switch (key.id()) {
            case "s2" -> gates.get(1);
            case "u1" -> gates.get(2);
            default -> gates.get(0);
        };
    }

    @Nullable
    Gate itemGate(String name) {
        int gate = Integer.parseInt(name.substring(name.lastIndexOf('g') + 1));
        return gate < 0 ? null : gates.get(gate);
    }

    /** Of each partial of a key, ended or not, how many signals were published. */
    Map<String, Integer> published(StreamKey key) {
        Map<String, Integer> counts = new HashMap<>();
        published.forEach((name, count) -> {
            if (name.startsWith(key.id())) {
                counts.put(name.replace("!", ""), count);
            }
        });
        return counts;
    }

    /** Of each partial of a key that is text, how long it is. */
    Map<String, Integer> lengths(StreamKey key) {
        Map<String, Integer> known = new HashMap<>(lengths);
        known.keySet().removeIf(name -> !name.startsWith(key.id()));
        return known;
    }

    Map<String, Long> versions(StreamKey key) {
        Map<String, Long> newest = new HashMap<>(versions);
        newest.keySet().removeIf(name -> !name.startsWith(key.id()));
        return newest;
    }

    void checkBatch(List<Frame> batch) {
        int bytes = batch.stream().mapToInt(Frame::size).sum();
        Set<String> items = Set.copyOf(batch.stream()
                .map(frame -> {
                    String[] field = frame.text().split("\\|", -1);
                    return field.length > 3 ? field[0] + field[1] + field[2] + field[3] : frame.text();
                })
                .toList());
        // Pieces that cannot be joined go out as they are.
        boolean bounded = bytes <= limits.batchMaxBytes() || items.size() == 1 || joinFailed;
        assertTrue(bounded, "law 4: a batch of " + bytes + " bytes");
    }

    void opened(SimSocket socket, SimView view) {
        opened.computeIfAbsent(socket, s -> new HashMap<>()).put(view.channel, view);
    }

    /** What was counted since the last restart. */
    Counters counters() {
        return delivery.counters();
    }

    @Nullable
    SimView openedView(SimSocket socket, Channel channel) {
        return opened.getOrDefault(socket, Map.of()).get(channel);
    }

    void progressed(SimSocket socket, SimView view) {
        clients.forEach(client -> client.progressed(socket, view));
    }

    /** A signal does not overtake entries that were hinted before it, unless the log could not be read. */
    void checkNotOvertaking(SimView view, String[] field) {
        long before = Long.parseLong(field[6]);
        if (!logFailed && field[5].equals("more") && view.channel.key().kind().durable()) {
            assertTrue(
                    view.complete(before),
                    "a signal overtook entries, at " + view.position + ": " + String.join("|", field));
        }
    }

    /** Whether there is room to keep the ends of all partials of a key. */
    boolean keepsEnds(StreamKey key) {
        return limits.windowMaxBytes() >= 1 << 16
                && limits.windowMaxFrames() > 6
                && key.kind().durable();
    }

    boolean calm() {
        return calm;
    }

    /** Whether all text must come, whatever happens: of keys where no gate of its own cuts it. */
    boolean ample(StreamKey key) {
        return ample && key.kind().durable();
    }

    int depth() {
        return depth;
    }

    List<Channel> channels() {
        return channels;
    }

    Delivery delivery() {
        return delivery;
    }

    long reaches(StreamKey key) {
        return log.reaches(key);
    }

    void note(String what) {
        trace.addLast(" ".repeat(depth) + what);
        if (trace.size() > 400) {
            trace.removeFirst();
        }
    }

    /** The last things that happened. */
    String trace() {
        return String.join("\n", trace);
    }
}
