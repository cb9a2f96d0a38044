package dev.tidings.servers.probe;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSDestinationDefinition;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Announces what comes through a queue.
 *
 * <p>Threads: the container's. Public for the container; not API.
 */
@JMSDestinationDefinition(
        name = AnnouncingListener.QUEUE,
        interfaceName = "jakarta.jms.Queue",
        destinationName = "announcements")
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = AnnouncingListener.QUEUE)
        })
public class AnnouncingListener implements MessageListener {

    static final String QUEUE = "java:app/jms/announcements";

    @Inject
    private @Nullable Announcer announcer;

    @Override
    public void onMessage(Message message) {
        try {
            Objects.requireNonNull(announcer).announce(Announcement.parse(message.getBody(String.class)));
        } catch (JMSException e) {
            throw new IllegalStateException("the message holds no text", e);
        }
    }
}
