package dev.tidings.testkit;

final class InMemoryEventLogTest extends EventLogContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
