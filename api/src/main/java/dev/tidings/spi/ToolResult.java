package dev.tidings.spi;

import dev.tidings.Payload;
import org.jspecify.annotations.Nullable;

/**
 * What came of a {@link ToolCall}: an output, or the tool's error.
 *
 * <p>Threads: immutable. Source: protocols A7, {@code tool_result}.
 *
 * @param toolCallId the call
 * @param name the tool
 * @param output any JSON value
 * @param error what people read
 * @param meta a JSON object, for example {durationMs}
 */
public record ToolResult(
        String toolCallId,
        String name,
        @Nullable Payload output,
        @Nullable String error,
        @Nullable Payload meta) {

    /** The output of a call. */
    public static ToolResult of(ToolCall call, Payload output) {
        return new ToolResult(call.id(), call.name(), output, null, null);
    }

    /** The error of a call. */
    public static ToolResult failed(ToolCall call, String error) {
        return new ToolResult(call.id(), call.name(), null, error, null);
    }
}
