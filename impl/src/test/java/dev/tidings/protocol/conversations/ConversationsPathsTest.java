package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConversationsPathsTest {

    @Test
    void paths_standBehindTheirPrefix() {
        ConversationsPaths paths = new ConversationsPaths("/tidings/v1");
        assertTrue(paths.isAll("/tidings/v1/ws"));
        assertTrue(paths.isOne("/tidings/v1/conversations/c 1/ws"));
        assertEquals("c 1", paths.segment("/tidings/v1/conversations/c 1/ws"));
        assertTrue(paths.isRecent("/tidings/v1/events/recent"));
        for (String own : List.of("/ws", "/conversations/c/ws", "/events/recent", "/tidings/v1", "/tidings/v1/ws/x")) {
            assertFalse(paths.isAll(own) || paths.isOne(own) || paths.isRecent(own), own);
        }
    }

    @Test
    void paths_ofTheApplicationBelowConversations_areItsOwn() {
        for (String own : List.of("/conversations", "/conversations/", "/conversations/ws", "/conversations/c")) {
            assertFalse(ConversationsPaths.DEFAULT.isOne(own), own);
        }
    }

    /** A container may take it for a conversation: it is refused like one that does not exist. */
    @Test
    void paths_conversationWithoutAName_isOurs() {
        assertTrue(ConversationsPaths.DEFAULT.isOne("/conversations//ws"));
        assertEquals("", ConversationsPaths.DEFAULT.segment("/conversations//ws"));
    }

    @Test
    void prefix_thatIsNone_isRefused() {
        for (String prefix : List.of("tidings", "/", "/a/", "/{id}", "/a b", "/*")) {
            assertThrows(IllegalArgumentException.class, () -> new ConversationsPaths(prefix), prefix);
        }
    }

    @Test
    void endpoints_areOnThePathsThatAreConfigured() {
        assertEquals(
                List.of("/x/ws", "/x/conversations/{id}/ws"),
                ConversationsEndpoint.configs(new ConversationsPaths("/x"), () -> {
                            throw new IllegalStateException("not asked for yet");
                        })
                        .stream()
                        .map(ServerEndpointConfig::getPath)
                        .toList());
    }
}
