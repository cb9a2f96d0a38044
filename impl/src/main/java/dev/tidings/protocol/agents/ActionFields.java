package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The members of an action, checked one by one: each is what it must be, or the {@link ActionRefusal} with status 400
 * names it. A member that is null is not an absent one.
 *
 * <p>Threads: immutable.
 *
 * @param members the action, or a map in it
 * @param path what stands before a member's name in a refusal: empty for the action
 */
public record ActionFields(MapValue members, String path) {
    private static final long LARGEST_EXACT = 9007199254740991L;
    private static final int MAX_CLIENT_ID = 200;

    /** The members of an action. */
    public static ActionFields of(MapValue action) {
        return new ActionFields(action, "");
    }

    /** A text that must be there and not be empty. */
    public String text(String name) {
        return optionalText(name).filter(text -> !text.isEmpty()).orElseThrow(() -> required(name));
    }

    /** A text that may be absent. */
    public Optional<String> optionalText(String name) {
        return members.member(name).map(value -> {
            if (value instanceof TextValue text) {
                return text.value();
            }
            throw wrong(name, " must be text");
        });
    }

    /** A text that may be absent, at most so many UTF-16 units long. */
    public Optional<String> optionalText(String name, int maxLength) {
        Optional<String> text = optionalText(name);
        if (text.isPresent() && text.get().length() > maxLength) {
            throw wrong(name, " must be at most " + maxLength + " characters");
        }
        return text;
    }

    /** A name that the client gave to something of its own: 1 to 200 characters. */
    public Optional<String> clientId(String name) {
        Optional<String> id = optionalText(name, MAX_CLIENT_ID);
        if (id.isPresent() && id.get().isEmpty()) {
            throw wrong(name, " must not be empty");
        }
        return id;
    }

    /** A text that must be there and not be empty, at most so many UTF-16 units long. */
    public String text(String name, int maxLength) {
        return optionalText(name, maxLength).filter(text -> !text.isEmpty()).orElseThrow(() -> required(name));
    }

    /** A boolean that must be there. */
    public boolean flag(String name) {
        if (members.member(name).orElseThrow(() -> required(name)) instanceof BoolValue flag) {
            return flag.value();
        }
        throw wrong(name, " must be true or false");
    }

    /** A value of any kind that must be there. */
    public CborValue any(String name) {
        return members.member(name).orElseThrow(() -> required(name));
    }

    /** A map that must be there. */
    public MapValue map(String name) {
        CborValue value = members.member(name).orElseThrow(() -> required(name));
        if (value instanceof MapValue map) {
            return map;
        }
        throw wrong(name, " must be a map");
    }

    /** A map that may be absent. */
    public Optional<ActionFields> optionalMap(String name) {
        return members.member(name).isEmpty()
                ? Optional.empty()
                : Optional.of(new ActionFields(map(name), path + name + "."));
    }

    /** A list that must be there. */
    public ListValue list(String name) {
        CborValue value = members.member(name).orElseThrow(() -> required(name));
        if (value instanceof ListValue list) {
            return list;
        }
        throw wrong(name, " must be a list");
    }

    /** An integer that may be absent, within bounds that are included. */
    public OptionalLong optionalInteger(String name, long least, long most) {
        Optional<CborValue> value = members.member(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong number = members.integer(name);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            throw wrong(name, " must be an integer from " + least + " to " + most);
        }
        return number;
    }

    /** An integer that must be there, within bounds that are included. */
    public long integer(String name, long least, long most) {
        return optionalInteger(name, least, most).orElseThrow(() -> required(name));
    }

    /** A count that may be absent; floats are integers where JavaScript has no other way to write them. */
    OptionalLong optionalCount(String name) {
        Optional<CborValue> value = members.member(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (value.get() instanceof IntegerValue integer) {
            OptionalLong exact = integer.asLong();
            if (exact.isPresent() && exact.getAsLong() >= 0 && exact.getAsLong() <= LARGEST_EXACT) {
                return exact;
            }
        }
        if (value.get() instanceof FloatValue number
                && number.value() > LARGEST_EXACT
                && Math.rint(number.value()) == number.value()) {
            return OptionalLong.of((long) number.value());
        }
        throw wrong(name, " must be a non-negative integer");
    }

    private ActionRefusal required(String name) {
        return wrong(name, " is required");
    }

    private ActionRefusal wrong(String name, String what) {
        return ActionRefusal.field(path + name + what);
    }
}
