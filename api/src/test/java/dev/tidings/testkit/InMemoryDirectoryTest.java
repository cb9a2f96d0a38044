package dev.tidings.testkit;

final class InMemoryDirectoryTest extends DirectoryContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
