package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A socket with a peer behind it: completes sends as its mode says, and checks what it is handed and what arrives.
 *
 * <p>Threads: one.
 */
final class SimSocket implements Sink {

    /** When sends complete. */
    enum Mode {
        /** Before the call returns. */
        AT_ONCE,
        /** As a task. */
        SOON,
        /** Not before the mode changes. */
        STALLED,
        /** Never, but for an abort: a callback that the container lost. */
        LOST,
        /** They fail, at once or soon. */
        FAILING,
        /** The sink throws. */
        THROWING
    }

    private final Simulation world;
    private final Map<Channel, SimView> current = new HashMap<>();

    /** What one more send may hold, since it may have been taken before something was closed or cancelled. */
    private final Set<Object> grace = new HashSet<>();

    /** Of the snapshots that several channels show, what the peer was sent last. */
    final Map<String, Long> versions = new HashMap<>();

    Mode mode;
    boolean open = true;
    boolean closedByEngine;
    boolean failed;
    int answersSent;
    int answersGot;
    int sends;

    @Nullable
    Disconnect reason;

    private @Nullable List<Frame> inFlight;
    private @Nullable Completion completion;
    private final boolean prompt;

    SimSocket(Simulation world, Mode mode) {
        this.world = world;
        this.mode = mode;
        this.prompt = world.random.nextInt(3) > 0;
    }

    // ---- the engine's side

    @Override
    public void send(List<Frame> batch, Completion completion) {
        assertFalse(batch.isEmpty(), "an empty batch");
        world.checkBatch(batch);
        take(batch, completion);
    }

    @Override
    public boolean prompt() {
        assertTrue(EngineLock.noneHeld(), "law 8: a sink is asked under a lock");
        return prompt;
    }

    @Override
    public int copies() {
        return 0;
    }

    @Override
    public void ping(Completion completion) {
        take(List.of(), completion);
    }

    @Override
    public void close(Disconnect why) {
        assertTrue(EngineLock.noneHeld(), "law 8: close under a lock");
        assertNull(inFlight, "close with a send in flight");
        assertFalse(closedByEngine, "closed twice");
        closedByEngine = true;
        reason = why;
        open = false;
        if (mode == Mode.THROWING) {
            throw new MadeUp.Broken();
        }
    }

    @Override
    public void abort(Disconnect why) {
        assertTrue(EngineLock.noneHeld(), "law 8: abort under a lock");
        reason = why;
        open = false;
        Completion due = completion;
        arrive(false);
        if (due != null) {
            world.executor.later(due::failed);
        }
        if (mode == Mode.THROWING) {
            throw new MadeUp.Broken();
        }
    }

    private void take(List<Frame> batch, Completion due) {
        assertTrue(EngineLock.noneHeld(), "law 8: send under a lock");
        assertNull(inFlight, "law 7: two sends in flight");
        assertFalse(closedByEngine, "a send after close");
        sends++;
        batch.forEach(this::checkMayLeave);
        grace.clear();
        if (!open) {
            world.executor.later(due::failed);
            return;
        }
        inFlight = batch;
        completion = due;
        switch (mode) {
            case AT_ONCE -> complete(true);
            case SOON -> world.executor.later(() -> completeIf(due, true));
            case FAILING -> {
                if (world.random.nextBoolean()) {
                    complete(false);
                } else {
                    world.executor.later(() -> completeIf(due, false));
                }
            }
            case THROWING -> {
                failed = true;
                breakLater(due);
                throw new MadeUp.Broken();
            }
            default -> world.meanwhile();
        }
    }

    /** A sink that threw may call back all the same. */
    private void breakLater(Completion due) {
        arrive(false);
        if (world.random.nextBoolean()) {
            world.executor.later(due::failed);
        }
    }

    private void completeIf(Completion due, boolean well) {
        if (completion == due) {
            complete(well);
        }
    }

    private void complete(boolean well) {
        Completion due = completion;
        arrive(well);
        failed |= !well;
        if (due != null && well) {
            due.succeeded();
        } else if (due != null) {
            due.failed();
        }
    }

    /** Law 6: nothing behind a closed gate, nothing of a subscription that is over or not started. */
    private void checkMayLeave(Frame frame) {
        String[] field = frame.text().split("\\|", -1);
        if (field[0].equals("a")) {
            return;
        }
        if (field[0].equals("h")) {
            Gate told = world.gate(Integer.parseInt(field[2]));
            assertTrue(told.isOpen() || grace.contains(told), "law 6: told of what is behind a closed gate");
            return;
        }
        Channel channel = world.channel(field[1], field[2]);
        Gate gate = world.gateOf(channel.key());
        if (field[0].equals("b")) {
            assertTrue(gate.isOpen() || grace.contains(gate), "law 6: answered behind a closed gate");
            return;
        }
        assertTrue(gate.isOpen() || grace.contains(gate), "law 6: taken behind a closed gate: " + frame.text());
        if (field[0].equals("s") || field[0].equals("n") || field[0].equals("t")) {
            Gate own = world.itemGate(field[3]);
            assertTrue(own == null || own.isOpen() || grace.contains(own), "law 6: its own gate: " + frame.text());
        }
        SimView view = current.get(channel);
        boolean ofCurrent = view != null && view.openingTaken(frame);
        assertTrue(ofCurrent || grace.contains(channel), "of a subscription that is over: " + frame.text());
    }

    // ---- the peer's side

    /** Everything that was in flight arrives, or a part of it. */
    private void arrive(boolean all) {
        List<Frame> frames = inFlight == null ? List.of() : inFlight;
        inFlight = null;
        completion = null;
        int count = all ? frames.size() : world.random.nextInt(frames.size() + 1);
        frames.subList(0, count).forEach(this::got);
    }

    private void got(Frame frame) {
        String[] field = frame.text().split("\\|", -1);
        if (field[0].equals("a") || field[0].equals("h")) {
            answersGot++;
            assertTrue(Integer.parseInt(field[1]) == answersGot, "answers in order");
            return;
        }
        Channel channel = world.channel(field[1], field[2]);
        if (field[0].equals("b")) {
            SimView answered = world.views.get(field[3]);
            if (answered == null || answered.answered) {
                throw new AssertionError("an answer twice");
            }
            answered.answered = true;
            return;
        }
        SimView view = field[0].equals("o") ? world.views.get(field[3]) : world.openedView(this, channel);
        if (view == null) {
            throw new AssertionError("before any opening: " + frame.text());
        }
        switch (field[0]) {
            case "o" -> {
                assertFalse(view.opened, "an opening twice");
                assertTrue(view.answered, "an opening before its answer");
                assertTrue(answersGot >= view.answersBefore, "an opening overtook an answer");
                view.opened = true;
                view.shownShared.forEach((key, version) -> {
                    Long before = versions.put(key, version);
                    assertTrue(
                            !view.mustBeFresh || before == null || before <= version,
                            view.opening + " law 4: an opening shows something older than what was sent, of " + key);
                });
                world.opened(this, view);
            }
            case "e" -> view.entry(Long.parseLong(field[3]), Integer.parseInt(field[4]));
            case "n" -> {
                long version = Long.parseLong(field[4]);
                view.snapshot(field[3], version);
                if (Simulation.isShared(field[3])) {
                    Long before = versions.put(field[3], version);
                    assertTrue(before == null || before < version, "law 4: twice on a socket: " + frame.text());
                }
            }
            case "c" -> view.textSoFar(field[3], Integer.parseInt(field[4]));
            case "s" -> {
                view.signal(field[3], Integer.parseInt(field[4]), field[5].equals("last"));
                world.checkNotOvertaking(view, field);
            }
            case "t" -> {
                view.text(field[3], Integer.parseInt(field[4]), field[7]);
                world.checkNotOvertaking(view, field);
            }
            default -> throw new AssertionError(frame.text());
        }
        world.progressed(this, view);
    }

    // ---- the simulation's side

    boolean sendOutstanding() {
        return inFlight != null;
    }

    @Nullable
    SimView current(Channel channel) {
        return current.get(channel);
    }

    Set<Channel> channels() {
        return Set.copyOf(current.keySet());
    }

    void started(Channel channel, SimView view) {
        current.put(channel, view);
    }

    void over(Channel channel) {
        current.remove(channel);
    }

    /** Something was closed or cancelled in the middle of other work: what was taken before may still leave. */
    void grace(Object of) {
        if (inFlight == null) {
            grace.add(of);
        }
    }

    /** Changes the mode; what was held back completes if the new mode lets it. */
    void mode(Mode next) {
        Mode before = mode;
        mode = next;
        if (before == Mode.STALLED && (next == Mode.AT_ONCE || next == Mode.SOON) && completion != null) {
            complete(true);
        }
    }

    /** The connection is gone; what is in flight fails, and a part of it has arrived. */
    void breakDown() {
        if (open) {
            open = false;
            failed = true;
            Completion due = completion;
            arrive(false);
            if (due != null) {
                world.executor.later(due::failed);
            }
        }
    }
}
