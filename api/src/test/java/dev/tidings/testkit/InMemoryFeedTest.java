package dev.tidings.testkit;

final class InMemoryFeedTest extends FeedContract {
    private final InMemoryPorts ports = new InMemoryPorts();

    @Override
    protected Ports ports() {
        return ports;
    }
}
