package dev.tidings.standalone.outside;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;

/**
 * Keeps the scripted agent out of every server that does not ask for it.
 *
 * <p>Public for the container.
 */
public final class ScriptedAgentSwitch implements Extension {
    void veto(@Observes ProcessAnnotatedType<ScriptedAgent> type) {
        if (!Boolean.getBoolean(ScriptedAgent.SWITCH)) {
            type.veto();
        }
    }
}
