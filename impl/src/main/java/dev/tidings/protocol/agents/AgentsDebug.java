package dev.tidings.protocol.agents;

import dev.tidings.delivery.Frame;
import java.util.List;

/** The lines of what goes out, for whoever looks for a lost partial; never content. Costs nothing while it is off. */
final class AgentsDebug {
    private static final System.Logger LOG = System.getLogger(AgentsSocket.class.getName());
    private static final String PARTIAL = "{\"_\":\"appendPartial\"";

    private AgentsDebug() {}

    static void sending(List<Frame> batch) {
        if (!LOG.isLoggable(System.Logger.Level.DEBUG)) {
            return;
        }
        for (Frame frame : batch) {
            if (frame.text().startsWith(PARTIAL)) {
                LOG.log(System.Logger.Level.DEBUG, "[agents/ws] send partial");
            }
        }
    }
}
