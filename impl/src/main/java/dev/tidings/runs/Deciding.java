package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides approvals (law 11): the row says who was first, and the entry is stored in its transaction. The run's end
 * closes what is pending under the same rows, so that no decision comes behind it.
 *
 * <p>Threads: any; every call blocks on a database. Errors: what the ports throw.
 */
final class Deciding {

    private final RunEngine.Ports ports;
    private final InstantSource clock;

    Deciding(RunEngine.Ports ports, InstantSource clock) {
        this.ports = ports;
        this.clock = clock;
    }

    ApprovalResult decide(String sessionId, String approvalId, Approval.Status decision) {
        if (decision != Approval.Status.GRANTED && decision != Approval.Status.DENIED) {
            throw new IllegalArgumentException("people grant or deny");
        }
        Optional<Approval> asked =
                ports.approvals().find(approvalId).filter(a -> a.sessionId().equals(sessionId));
        if (asked.isEmpty()) {
            return new ApprovalResult.Unknown();
        }
        Optional<Approval> decided;
        try {
            decided = decideNow(asked.get(), decision, null);
        } catch (UnknownStreamException deletedMeanwhile) {
            return new ApprovalResult.Unknown();
        }
        if (decided.isPresent()) {
            return new ApprovalResult.Decided(decided.get(), EntryIds.decision(approvalId));
        }
        // In a transaction of its own, which sees what the winner's has committed.
        Approval now = ports.approvals().find(approvalId).orElse(asked.get());
        return now.status() == decision ? repeated(now) : new ApprovalResult.Refused(now);
    }

    /** Lets an approval expire, if it is pending. */
    Optional<Approval> expire(Approval approval) {
        return decideNow(approval, Approval.Status.EXPIRED, "timeout");
    }

    private Optional<Approval> decideNow(Approval approval, Approval.Status decision, @Nullable String reason) {
        long now = clock.millis();
        boolean first = ports.transactions().requiresNew(() -> {
            if (!ports.approvals().decide(approval.id(), decision, now)) {
                return false;
            }
            ports.events().append(StreamKey.session(approval.sessionId()), entry(approval, decision, reason, now));
            return true;
        });
        return first ? Optional.of(approval.decided(decision, now)) : Optional.empty();
    }

    static NewEntry entry(Approval approval, Approval.Status decision, @Nullable String reason, long now) {
        return new NewEntry(
                EntryIds.decision(approval.id()),
                EntryKind.APPROVAL,
                true,
                RunJson.approvalDecided(approval, decision, reason),
                approval.runId(),
                now);
    }

    private ApprovalResult repeated(Approval approval) {
        return stored(approval)
                .<ApprovalResult>map(entry -> new ApprovalResult.Repeated(approval, entry))
                .orElseGet(ApprovalResult.Unknown::new);
    }

    private Optional<StoredEntry> stored(Approval approval) {
        String id = EntryIds.decision(approval.id());
        return NewestFirst.find(
                        ports.log(),
                        StreamKey.session(approval.sessionId()),
                        // Nothing is decided before it was asked.
                        entry -> entry.id().equals(id) || entry.id().equals(approval.id()))
                .filter(entry -> entry.id().equals(id));
    }
}
