package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.event.SessionChanged;
import org.junit.jupiter.api.Test;

class KnownStatusesTest {
    private final KnownStatuses statuses = new KnownStatuses();

    private boolean changed(long version, SessionStatus status) {
        SessionInfo session = SessionInfo.idle("s", "z", "a", null, 1).withStatus(status, 2);
        return statuses.changed(new SessionChanged(session, version, version == 1));
    }

    @Test
    void changed_sameStatusNextVersion_isNone() {
        changed(1, SessionStatus.IDLE);
        assertFalse(changed(2, SessionStatus.IDLE));
        assertTrue(changed(3, SessionStatus.STREAMING));
        assertFalse(changed(4, SessionStatus.STREAMING));
    }

    @Test
    void changed_versionMissing_mayBeOne() {
        changed(1, SessionStatus.IDLE);
        assertTrue(changed(3, SessionStatus.IDLE));
    }

    @Test
    void changed_unknownSession_mayBeOne() {
        assertTrue(changed(7, SessionStatus.IDLE));
    }

    @Test
    void changed_olderVersion_isNone() {
        changed(5, SessionStatus.IDLE);
        assertFalse(changed(4, SessionStatus.STREAMING));
        assertFalse(changed(6, SessionStatus.IDLE));
    }
}
