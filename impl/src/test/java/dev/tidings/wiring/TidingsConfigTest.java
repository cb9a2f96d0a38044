package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TidingsConfigTest {

    static List<Setting<?>> settings() {
        return TidingsConfig.SETTINGS;
    }

    private static TidingsConfig read(Map<String, String> values) {
        return TidingsConfig.read(name -> Optional.ofNullable(values.get(name)));
    }

    private static boolean isDuration(Setting<?> setting) {
        return setting.range().startsWith("P");
    }

    /** Those of a setting that is one of several words. */
    private static List<String> words(Setting<?> setting) {
        return setting.range().matches("[a-z-]+(, [a-z-]+)* or [a-z-]+")
                ? List.of(setting.range().split(", | or ", -1))
                : List.of();
    }

    private static boolean isFlag(Setting<?> setting) {
        return setting.range().equals("true or false");
    }

    private static boolean isNumber(Setting<?> setting) {
        return Character.isDigit(setting.range().charAt(0));
    }

    private static String bound(Setting<?> setting, int which) {
        return setting.range().split(" to ", 2)[which];
    }

    /** What is outside the range, just so and wildly. */
    private static List<String> wrong(Setting<?> setting) {
        List<String> wrong = new ArrayList<>();
        if (isDuration(setting)) {
            wrong.add(Duration.parse(bound(setting, 0)).minusNanos(1).toString());
            wrong.add(Duration.parse(bound(setting, 1)).plusNanos(1).toString());
            wrong.addAll(List.of("5", "s3cret", "", "PT99999999999999999999H", "PT"));
        } else if (isNumber(setting)) {
            wrong.add(Long.toString(Long.parseLong(bound(setting, 0)) - 1));
            wrong.add(Long.toString(Long.parseLong(bound(setting, 1)) + 1));
            wrong.addAll(List.of("s3cret", "", "1e3", "99999999999999999999", "0x400", "4 096"));
        } else if (isFlag(setting)) {
            wrong.addAll(List.of("s3cret", "", "yes", "1", "TRUE"));
        } else if (words(setting).size() > 1) {
            wrong.addAll(List.of("s3cret", "", "None"));
        } else if (setting == TidingsConfig.THREAD_FACTORY) {
            wrong.addAll(List.of("s3cret", "", "ldap://s3cret/java:"));
        } else {
            wrong.add("s".repeat(setting == TidingsConfig.NODE_ID ? 101 : 10_001));
        }
        return wrong;
    }

    /** Law 9, for whoever reads the log: the key and the range, never the value, which may be a secret. */
    @ParameterizedTest
    @MethodSource("settings")
    void read_valueOutsideTheRange_keyAndRangeAreNamedNotTheValue(Setting<?> setting) {
        for (String value : wrong(setting)) {
            IllegalArgumentException refusal = assertThrows(
                    IllegalArgumentException.class, () -> read(Map.of(setting.name(), value)), setting.name() + value);
            assertEquals("configuration key " + setting.name() + " must be " + setting.range(), refusal.getMessage());
            assertNull(refusal.getCause(), "a cause would show the value");
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void read_bounds_areInTheRange(Setting<?> setting) {
        if (isNumber(setting) || isDuration(setting)) {
            for (int which = 0; which < 2; which++) {
                String value = bound(setting, which);
                Object read = setting.read(name -> Optional.of(" " + value + " "));
                assertEquals(isNumber(setting) ? Integer.valueOf(value) : Duration.parse(value), read);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void read_notSet_isTheDefault(Setting<?> setting) {
        assertEquals(setting.read(name -> Optional.of(setting.standard())), setting.read(name -> Optional.empty()));
    }

    @Test
    void read_nothingSet_isInOrderAndEachStartHasAName() {
        // The one default that depends on the heap.
        TidingsConfig config = read(Map.of(TidingsConfig.DELIVERY_BYTES.name(), Integer.toString(256 << 20)));
        assertTrue(config.agentsDoor().enabled());
        assertEquals(dev.tidings.delivery.DeliveryLimits.DEFAULTS, config.delivery());
        assertEquals(dev.tidings.runs.RunLimits.DEFAULTS, config.runs());
        assertEquals(dev.tidings.envelope.EnvelopeLimits.DEFAULT, config.envelope());
        assertEquals(dev.tidings.protocol.agents.AgentsLimits.DEFAULTS, config.agents());
        assertEquals(dev.tidings.protocol.agents.AgentsHttpLimits.DEFAULT, config.agentsHttp());
        assertNotEquals(config.nodeId(), read(Map.of()).nodeId());
    }

    /** Law 4: what is counted, and the headers of it, must fit into the heap, whatever that is. */
    @ParameterizedTest
    @CsvSource({"33554432, 16777216", "536870912, 134217728", "1073741824, 268435456", "9223372036854775807, 268435456"
    })
    void quarter_heap_isWithinTheBounds(long heap, int bytes) {
        assertEquals(bytes, Setting.quarter(heap, 256 << 20, 16 << 20));
    }

    /** Each key moves exactly one thing, and no two keys move the same one. */
    @Test
    void read_oneKeySet_oneLimitChanges() {
        Map<String, String> named = Map.of(TidingsConfig.NODE_ID.name(), "node");
        Map<String, Object> standard = flat(read(named));
        Map<String, String> moved = new TreeMap<>();
        for (Setting<?> setting : TidingsConfig.SETTINGS) {
            Map<String, String> values = new TreeMap<>(named);
            values.put(setting.name(), other(setting));
            List<String> changed = new ArrayList<>();
            flat(read(values)).forEach((path, value) -> {
                if (!value.equals(standard.get(path))) {
                    changed.add(path);
                    Object given = setting.read(name -> Optional.of(other(setting)));
                    assertEquals(given.toString(), text(value), setting.name());
                }
            });
            assertEquals(1, changed.size(), setting.name() + " changes " + changed);
            assertNull(moved.put(changed.get(0), setting.name()), "two keys for " + changed);
        }
        assertEquals(TidingsConfig.SETTINGS.size(), moved.size());
    }

    private static String text(Object value) {
        return value instanceof Set<?> several
                ? several.stream().map(Object::toString).collect(Collectors.joining(","))
                : value.toString();
    }

    private static String other(Setting<?> setting) {
        if (isDuration(setting)) {
            return Duration.parse(setting.standard()).plusMillis(7).toString();
        }
        if (isNumber(setting)) {
            return Integer.toString(
                    Integer.parseInt(setting.standard()) + (setting == TidingsConfig.HTTP_BYTES ? -7 : 7));
        }
        if (isFlag(setting)) {
            return Boolean.toString(!Boolean.parseBoolean(setting.standard()));
        }
        if (setting == TidingsConfig.CONVERSATIONS_PATH) {
            return "/another";
        }
        if (setting == TidingsConfig.THREAD_FACTORY) {
            return "java:app/another";
        }
        List<String> words = words(setting);
        return words.size() > 1 ? words.get(words.size() - 1) : "another";
    }

    private static Map<String, Object> flat(Record config) {
        Map<String, Object> flat = new TreeMap<>();
        flatten("", config, flat);
        return flat;
    }

    private static void flatten(String path, Record from, Map<String, Object> flat) {
        for (RecordComponent component : from.getClass().getRecordComponents()) {
            Object value;
            try {
                value = component.getAccessor().invoke(from);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new AssertionError(e);
            }
            if (value instanceof Record inner) {
                flatten(path + component.getName() + '.', inner, flat);
            } else {
                flat.put(path + component.getName(), value);
            }
        }
    }

    /** Values that are fine alone and make no sense together. */
    @ParameterizedTest
    @CsvSource({
        "tidings.agents.max-pending-bytes, 2048, tidings.agents.max-message-bytes, 4096",
        "tidings.agents.max-http-pending-bytes, 1048576, tidings.agents.max-http-message-bytes, 1048577",
        "tidings.heartbeat.timeout, PT15S, tidings.heartbeat.interval, PT15S",
        "tidings.heartbeat.timeout, PT45S, tidings.heartbeat.interval, PT10M"
    })
    void read_twoThatDoNotFit_bothAreNamedAndNoValue(String key, String value, String other, String otherValue) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> read(Map.of(key, value, other, otherValue)));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.startsWith(key) && message.contains(other), message);
        assertTrue(!message.contains(value) && !message.contains(otherValue), message);
    }

    @ParameterizedTest
    @CsvSource({
        "tidings.agents.max-pending-bytes, 4096, tidings.agents.max-message-bytes, 4096",
        "tidings.agents.max-http-pending-bytes, 1048576, tidings.agents.max-http-message-bytes, 1048576",
        "tidings.heartbeat.timeout, PT15.001S, tidings.heartbeat.interval, PT15S"
    })
    void read_twoThatJustFit_areRead(String key, String value, String other, String otherValue) {
        assertTrue(read(Map.of(key, value, other, otherValue)).agentsDoor().enabled());
    }

    @Test
    void nodeId_blankIsMadeAndOthersAreStripped() {
        assertEquals(
                "node", read(Map.of(TidingsConfig.NODE_ID.name(), " node ")).nodeId());
        assertEquals(
                "n".repeat(100),
                read(Map.of(TidingsConfig.NODE_ID.name(), "n".repeat(100))).nodeId());
        assertEquals(
                36, read(Map.of(TidingsConfig.NODE_ID.name(), "  ")).nodeId().length());
    }
}
