/** The metrics, collected by OpenTelemetry's own SDK from counters that are made up. */
@NullMarked
package dev.tidings.telemetry;

import org.jspecify.annotations.NullMarked;
