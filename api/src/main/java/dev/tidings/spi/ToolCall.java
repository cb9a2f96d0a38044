package dev.tidings.spi;

import dev.tidings.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A tool that a run is about to use.
 *
 * <p>Threads: immutable. Source: protocols A7, {@code tool_call}.
 *
 * @param id names the call, unique in its run
 * @param name the tool
 * @param input what it is given: any JSON value
 * @param detail a few words that are shown while it works and not stored
 */
public record ToolCall(
        String id, String name, Payload input, @Nullable String detail) {}
