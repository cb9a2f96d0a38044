package dev.tidings.testkit;

final class InMemoryReceiptsTest extends ReceiptsContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
