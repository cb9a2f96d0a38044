package dev.tidings.standalone;

import java.util.Map;

/**
 * What Tidings counts, for {@code jconsole} and exporters. Public for JMX, which asks for these names too; not API.
 *
 * <p>Threads: any.
 */
public interface CountersMXBean {

    /** The counts by the names of {@link dev.tidings.spi.Counters.Counter}. */
    Map<String, Long> getCounts();

    /** How often each code was given out. */
    Map<String, Long> getRefusals();
}
