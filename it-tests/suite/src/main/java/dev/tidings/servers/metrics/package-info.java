/**
 * An application's own OpenTelemetry, put into the WAR that is tested: where the metrics of {@code tidings-telemetry} arrive.
 *
 * <p>It must not know Tidings: whatever a meter is told shows up.
 */
@NullMarked
package dev.tidings.servers.metrics;

import org.jspecify.annotations.NullMarked;
