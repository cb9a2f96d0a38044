package dev.tidings.testkit;

final class InMemoryGrantsTest extends GrantsContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
