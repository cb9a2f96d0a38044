package dev.tidings.testkit;

final class InMemoryDeletionTest extends DeletionContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
