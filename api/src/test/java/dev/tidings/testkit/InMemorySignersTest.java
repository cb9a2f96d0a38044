package dev.tidings.testkit;

final class InMemorySignersTest extends SignersContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
