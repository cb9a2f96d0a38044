package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.Collaborator.Status;
import dev.tidings.Role;
import dev.tidings.event.GrantChanged;
import dev.tidings.spi.Grants.Pair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * What every {@link dev.tidings.spi.Grants} and {@link dev.tidings.spi.GrantsWriter} does (law 6, protocols A3). Threads:
 * one, but for invitations at once.
 */
public abstract class GrantsContract extends PortsContract {

    private final String owner = fresh("owner");
    private final String guest = fresh("guest");

    @Test
    void role_ownerPendingAcceptedRemoved_followsTheInvitation() {
        String agent = newAgent(owner);
        assertEquals(Optional.of(Role.OWNER), role(agent, owner));
        assertEquals(Optional.empty(), role(agent, guest));
        inTransaction(() -> ports().grantsWriter().invite(agent, guest, Role.WRITER, 5));
        assertEquals(Optional.empty(), role(agent, guest));
        assertEquals(Set.of(owner), ports().grants().members(agent));
        inTransaction(() -> ports().grantsWriter().accept(agent, guest, 6));
        assertEquals(Optional.of(Role.WRITER), role(agent, guest));
        assertEquals(Set.of(owner, guest), ports().grants().members(agent));
        inTransaction(() -> assertTrue(ports().grantsWriter().remove(agent, guest)));
        assertEquals(Optional.empty(), role(agent, guest));
    }

    @Test
    void role_publicRead_makesEverybodyAReaderAndNobodyLess() {
        String agent = fresh("agent");
        inTransaction(() -> {
            ports().directoryWriter().create(agentInfo(agent, owner, true));
            ports().grantsWriter().invite(agent, guest, Role.WRITER, 5);
        });
        assertEquals(Optional.of(Role.READER), role(agent, guest));
        inTransaction(() -> ports().grantsWriter().accept(agent, guest, 6));
        assertEquals(Optional.of(Role.WRITER), role(agent, guest));
        assertEquals(Optional.of(Role.READER), role(agent, fresh("stranger")));
        assertEquals(Set.of(owner, guest), ports().grants().members(agent));
    }

    /** One question answers for owners, collaborators and public readers alike, as it is at that moment. */
    @Test
    void roles_publicReadSwitched_followsItForStrangersAlone() {
        String agent = newAgent(owner);
        String stranger = fresh("stranger");
        inTransaction(() -> {
            ports().grantsWriter().invite(agent, guest, Role.WRITER, 5);
            ports().grantsWriter().accept(agent, guest, 6);
        });
        List<Pair> pairs = List.of(new Pair(agent, owner), new Pair(agent, guest), new Pair(agent, stranger));
        Map<Pair, Role> members = Map.of(new Pair(agent, owner), Role.OWNER, new Pair(agent, guest), Role.WRITER);
        Map<Pair, Role> everybody = new HashMap<>(members);
        everybody.put(new Pair(agent, stranger), Role.READER);
        assertEquals(members, ports().grants().roles(pairs));
        publicRead(agent, true);
        assertEquals(everybody, ports().grants().roles(pairs));
        publicRead(agent, false);
        assertEquals(members, ports().grants().roles(pairs));
        assertEquals(Optional.empty(), role(agent, stranger));
    }

    private void publicRead(String agent, boolean on) {
        inTransaction(() -> ports().directoryWriter()
                .changeAgent(
                        agent,
                        a -> new AgentInfo(
                                a.id(), a.account(), a.definition(), null, a.status(), a.createdAt(), 9, on)));
    }

    /** There is no row yet that the second invitation could wait for. */
    @Test
    void invite_sameAccountAtOnce_isOneInvitation() {
        for (int round = 0; round < 10; round++) {
            String agent = newAgent(owner);
            CyclicBarrier together = new CyclicBarrier(4);
            List<CompletableFuture<Void>> invitations = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                invitations.add(CompletableFuture.runAsync(
                        () -> {
                            await(together);
                            inTransaction(() -> ports().grantsWriter().invite(agent, guest, Role.READER, 5));
                        },
                        task -> new Thread(task).start()));
            }
            invitations.forEach(
                    invitation -> invitation.orTimeout(30, TimeUnit.SECONDS).join());
            inTransaction(() -> ports().grantsWriter().accept(agent, guest, 6));
            assertEquals(Optional.of(Role.READER), role(agent, guest));
        }
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** An account that only looks like the owner is a stranger: case, a space behind, NUL. */
    @Test
    void role_accountThatIsAlmostTheOwner_isNothing() {
        String agent = newAgent(owner);
        for (String other :
                List.of(owner.toUpperCase(Locale.ROOT), owner + " ", owner + "\0", " " + owner, owner + "\u200b")) {
            assertEquals(Optional.empty(), role(agent, other));
            assertEquals(Map.of(), ports().grants().roles(List.of(new Pair(agent, other))));
        }
        assertEquals(Optional.empty(), role(agent + " ", owner));
    }

    @Test
    void role_unknownAgent_isEmpty() {
        assertEquals(Optional.empty(), role(fresh("none"), owner));
        assertEquals(Set.of(), ports().grants().members(fresh("none")));
    }

    @Test
    void roles_manyPairs_giveThoseWithAccess() {
        String mine = newAgent(owner);
        String shared = newAgent("somebody");
        String foreign = newAgent("somebody");
        inTransaction(() -> {
            ports().grantsWriter().invite(shared, owner, Role.READER, 5);
            ports().grantsWriter().accept(shared, owner, 6);
        });
        List<Pair> pairs = new ArrayList<>(List.of(
                new Pair(mine, owner), new Pair(shared, owner), new Pair(foreign, owner), new Pair(mine, guest)));
        for (int i = 0; i < 600; i++) {
            pairs.add(new Pair(fresh("none"), owner));
        }
        assertEquals(
                Map.of(new Pair(mine, owner), Role.OWNER, new Pair(shared, owner), Role.READER),
                ports().grants().roles(pairs));
        assertEquals(Map.of(), ports().grants().roles(List.of()));
    }

    @Test
    void invite_again_changesTheRoleAndKeepsTheAcceptance() {
        String agent = newAgent(owner);
        inTransaction(() -> {
            assertEquals(
                    new Collaborator(agent, guest, Role.READER, Status.PENDING, 5, 5),
                    ports().grantsWriter().invite(agent, guest, Role.READER, 5));
            ports().grantsWriter().accept(agent, guest, 6);
        });
        ports().takeEvents();
        inTransaction(() -> assertEquals(
                new Collaborator(agent, guest, Role.WRITER, Status.ACCEPTED, 5, 7),
                ports().grantsWriter().invite(agent, guest, Role.WRITER, 7)));
        assertEquals(List.of(new GrantChanged(agent, guest, Role.WRITER)), eventsOf(GrantChanged.class));
        assertEquals(
                List.of(new Collaborator(agent, guest, Role.WRITER, Status.ACCEPTED, 5, 7)),
                ports().directory().collaborators(agent));
        inTransaction(() -> ports().grantsWriter().invite(agent, guest, Role.WRITER, 8));
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void invite_asOwner_isRefused() {
        String agent = newAgent(owner);
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().grantsWriter().invite(agent, guest, Role.OWNER, 5)));
    }

    @Test
    void accept_noneAndTwice_isEmptyAndNoChange() {
        String agent = newAgent(owner);
        inTransaction(
                () -> assertEquals(Optional.empty(), ports().grantsWriter().accept(agent, guest, 5)));
        inTransaction(() -> ports().grantsWriter().invite(agent, guest, Role.READER, 5));
        assertEquals(1, ports().directory().invites(guest).size());
        inTransaction(() -> ports().grantsWriter().accept(agent, guest, 6));
        assertEquals(List.of(), ports().directory().invites(guest));
        ports().takeEvents();
        inTransaction(() -> assertEquals(
                6, ports().grantsWriter().accept(agent, guest, 9).orElseThrow().updatedAt()));
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void remove_none_isFalseAndUntold() {
        String agent = newAgent(owner);
        ports().takeEvents();
        inTransaction(() -> assertFalse(ports().grantsWriter().remove(agent, guest)));
        assertEquals(List.of(), ports().takeEvents());
    }

    /** Law 6: whoever loses access by it falls silent by this event. */
    @Test
    void remove_collaborator_isTold() {
        String agent = newAgent(owner);
        inTransaction(() -> {
            ports().grantsWriter().invite(agent, guest, Role.READER, 5);
            ports().grantsWriter().accept(agent, guest, 5);
        });
        ports().takeEvents();
        inTransaction(() -> assertTrue(ports().grantsWriter().remove(agent, guest)));
        assertEquals(List.of(new GrantChanged(agent, guest, null)), eventsOf(GrantChanged.class));
    }

    @Test
    void remove_rolledBack_keepsTheGrantAndIsUntold() {
        String agent = newAgent(owner);
        inTransaction(() -> {
            ports().grantsWriter().invite(agent, guest, Role.READER, 5);
            ports().grantsWriter().accept(agent, guest, 5);
        });
        ports().takeEvents();
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().grantsWriter().remove(agent, guest);
                    ports().setRollbackOnly();
                }));
        assertEquals(Optional.of(Role.READER), role(agent, guest));
        assertEquals(List.of(), ports().takeEvents());
    }

    private Optional<Role> role(String agent, String account) {
        return ports().grants().role(agent, account);
    }
}
