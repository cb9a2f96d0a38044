package dev.tidings.testkit;

final class InMemoryEventWriterTest extends EventWriterContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
