package dev.tidings.testkit;

final class InMemoryRunLedgerTest extends RunLedgerContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
