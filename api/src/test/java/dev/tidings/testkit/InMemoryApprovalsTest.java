package dev.tidings.testkit;

final class InMemoryApprovalsTest extends ApprovalsContract {
    private final Ports ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
