/**
 * What is counted, as metrics of OpenTelemetry; found by CDI where it is on the class path.
 *
 * <p>What it must not know: the engine, any protocol, an SDK or an exporter; it reads {@link dev.tidings.spi.Counters}.
 */
@NullMarked
package dev.tidings.telemetry;

import org.jspecify.annotations.NullMarked;
