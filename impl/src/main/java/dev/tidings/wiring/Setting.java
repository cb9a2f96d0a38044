package dev.tidings.wiring;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.function.Function;

/**
 * One configuration key: its name, default, range and how it is read.
 *
 * <p>Threads: immutable.
 *
 * @param name the MicroProfile Config key
 * @param standard the default, as it would be written
 * @param range the range in words
 * @param reader from text to value; throws {@link IllegalArgumentException} outside the range
 */
record Setting<T>(String name, String standard, String range, Function<String, T> reader) {

    static Setting<Integer> integer(String name, int standard, int least, int most) {
        return new Setting<>(name, Integer.toString(standard), least + " to " + most, text -> {
            int value = Integer.parseInt(text.strip());
            if (value < least || value > most) {
                throw new IllegalArgumentException("out of range");
            }
            return value;
        });
    }

    /** A number of bytes of which, if it is not set, a quarter of the heap is taken, and at most {@code usual}. */
    static Setting<Integer> shareOfHeap(String name, int usual, int least, int most) {
        return integer(name, quarter(Runtime.getRuntime().maxMemory(), usual, least), least, most);
    }

    /** A quarter of a heap, within bounds. */
    static int quarter(long heap, int most, int least) {
        return (int) Math.max(least, Math.min(most, heap / 4));
    }

    static Setting<Duration> duration(String name, String standard, String least, String most) {
        Duration min = Duration.parse(least);
        Duration max = Duration.parse(most);
        return new Setting<>(name, standard, least + " to " + most, text -> {
            Duration value = Duration.parse(text.strip());
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException("out of range");
            }
            return value;
        });
    }

    static Setting<Boolean> flag(String name, boolean standard) {
        return new Setting<>(name, Boolean.toString(standard), "true or false", text -> switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("not a flag");
        });
    }

    /** One of two words; true for the first, which is the default. */
    static Setting<Boolean> choice(String name, String standard, String other) {
        return new Setting<>(name, standard, standard + " or " + other, text -> {
            String word = text.strip();
            if (!word.equals(standard) && !word.equals(other)) {
                throw new IllegalArgumentException("another word");
            }
            return word.equals(standard);
        });
    }

    static Setting<String> text(String name, String standard, String range, int most) {
        return new Setting<>(name, standard, range, text -> {
            if (text.length() > most) {
                throw new IllegalArgumentException("too long");
            }
            return text.strip();
        });
    }

    /**
     * Reads a value.
     *
     * @throws WrongSetting naming the key and the range, never the value: it may be a secret
     */
    T read(Function<String, java.util.Optional<String>> source) {
        String text = source.apply(name).orElse(standard);
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
            throw new WrongSetting("configuration key " + name + " must be " + range);
        }
    }
}
