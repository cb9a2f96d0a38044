package dev.tidings.testkit;

final class InMemoryRunTreeTest extends RunTreeContract {
    private final Ports ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
