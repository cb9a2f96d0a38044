package dev.tidings.testkit;

final class InMemoryApiKeysTest extends ApiKeysContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
