package dev.tidings.standalone;

import dev.tidings.spi.Counters;
import dev.tidings.spi.Counters.Counter;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Shows the counters over JMX, as {@code dev.tidings:type=Counters,port=…}; the port tells servers of one process apart.
 *
 * <p>JMX has no port of its own here: whoever may attach to the process may look.
 *
 * <p>Threads: opened and closed by one thread, read by any.
 */
final class CountersDoor implements CountersMXBean, AutoCloseable {
    private final Counters counters;
    private final ObjectName name;

    private CountersDoor(Counters counters, ObjectName name) {
        this.counters = counters;
        this.name = name;
    }

    static CountersDoor open(Counters counters, int port) {
        try {
            ObjectName name = new ObjectName("dev.tidings:type=Counters,port=" + port);
            CountersDoor door = new CountersDoor(counters, name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(door, name);
            return door;
        } catch (JMException e) {
            throw new StartFailure("the counters cannot be shown over JMX", e);
        }
    }

    @Override
    public Map<String, Long> getCounts() {
        Map<String, Long> counts = new TreeMap<>();
        for (Counter counter : Counter.values()) {
            counts.put(counter.name(), counters.value(counter));
        }
        return counts;
    }

    @Override
    public Map<String, Long> getRefusals() {
        return counters.refusals();
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException alreadyAway) {
            System.getLogger(CountersDoor.class.getName())
                    .log(System.Logger.Level.DEBUG, "the counters were not shown any more");
        }
    }
}
