package dev.tidings.standalone.outside;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What a server counts, read over JMX as {@code jconsole} does it. */
final class ServerCounters implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;
    private static final int LOOK_MILLIS = 100;

    /** The counts of a moment, by name. */
    record Counts(Map<String, Long> all) {
        long of(String name) {
            Long count = all.get(name);
            if (count == null) {
                throw new AssertionError("not counted: " + name);
            }
            return count;
        }

        @Override
        public String toString() {
            return all.toString();
        }
    }

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private ServerCounters(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // what it connects to is a process of the test's own
    static ServerCounters of(RunningServer running) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(running.pid()));
            try {
                return new ServerCounters(
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new AssertionError("the server cannot be looked into", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Counts counts() {
        try {
            ObjectName name = server.queryNames(new ObjectName("dev.tidings:type=Counters,*"), null).stream()
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no counters"));
            Map<String, Long> counts = new TreeMap<>();
            for (Object row : ((TabularData) server.getAttribute(name, "Counts")).values()) {
                CompositeData entry = (CompositeData) row;
                counts.put((String) entry.get("key"), (Long) entry.get("value"));
            }
            return new Counts(counts);
        } catch (JMException e) {
            throw new AssertionError("no counters", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What lives in the heap, after a collection, in KiB. */
    long liveHeapKib() {
        try {
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                    server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            memory.gc();
            return memory.getHeapMemoryUsage().getUsed() / 1024;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks again and again until the counts fit; another process has no signal for us. */
    void await(String what, Predicate<Counts> fits) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Counts last = counts();
        CountDownLatch never = new CountDownLatch(1);
        while (!fits.test(last)) {
            if (System.nanoTime() > deadline || never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError(what + ": " + last);
            }
            last = counts();
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException theServerIsGone) {
            // Nothing is left to close.
        }
    }
}
