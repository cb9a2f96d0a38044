package dev.tidings.servers.probe;

import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Schedule;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Announces from a {@code @Schedule} timer that fires every second.
 *
 * <p>Threads: any ask, the container's timer announces. Public for the container; not API.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class AnnouncingTimer {

    private final Queue<Announcement> asked = new ConcurrentLinkedQueue<>();

    @Inject
    private @Nullable Announcer announcer;

    /** Has it announced by the timer. */
    public void ask(Announcement announcement) {
        asked.add(announcement);
    }

    /** The time has come. */
    @Schedule(hour = "*", minute = "*", second = "*", persistent = false)
    public void fire() {
        for (Announcement next = asked.poll(); next != null; next = asked.poll()) {
            Objects.requireNonNull(announcer).announce(next);
        }
    }
}
