package dev.tidings.envelope;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values as JSON in the DAG-JSON form: bytes as {@code {"/":{"bytes":"…"}}}, links as {@code {"/":"…"}}. */
final class CborJson {
    private static final String SLASH = "/";
    private static final String BYTES = "bytes";
    private static final int LONGEST_EXACT = 21;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private CborJson() {}

    static byte[] write(CborValue value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(out, JsonEncoding.UTF8)) {
            value.fold(new Writing(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Writes text raw, so that characters beyond the basic plane stay four bytes and are not escaped in twelve. */
    static void writeText(byte[] utf8, JsonGenerator json) throws IOException {
        json.writeUTF8String(utf8, 0, utf8.length);
    }

    static void writeBytesOrLink(CborValue value, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeFieldName(SLASH);
        if (value instanceof LinkValue link) {
            json.writeString(link.cid().text());
        } else {
            json.writeStartObject();
            json.writeFieldName(BYTES);
            json.writeString(Base64.getEncoder()
                    .withoutPadding()
                    .encodeToString(((BytesValue) value).value().shared()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Reads one JSON value. */
    static CborValue read(byte[] utf8) {
        try (JsonParser parser = JSON.createParser(utf8)) {
            JsonToken first = parser.nextToken();
            if (first != null) {
                CborValue value = value(first, parser);
                if (parser.nextToken() == null) {
                    return value;
                }
            }
        } catch (IOException e) {
            // Jackson's own text quotes the input: it goes no further.
        }
        throw new IllegalArgumentException("not one JSON value");
    }

    private static CborValue value(JsonToken token, JsonParser parser) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new TextValue(parser.getText());
            case VALUE_NUMBER_INT -> integer(parser.getText());
            case VALUE_NUMBER_FLOAT -> decimal(Double.parseDouble(parser.getText()));
            case VALUE_TRUE -> new BoolValue(true);
            case VALUE_FALSE -> new BoolValue(false);
            case VALUE_NULL -> CborValue.NULL;
            default -> throw new IllegalArgumentException("not one JSON value");
        };
    }

    private static CborValue array(JsonParser parser) throws IOException {
        List<CborValue> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token, parser));
        }
        return new ListValue(items);
    }

    private static CborValue object(JsonParser parser) throws IOException {
        Map<String, CborValue> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.getText();
            members.put(name, value(parser.nextToken(), parser));
        }
        MapValue plain = new MapValue(members);
        return reserved(plain).orElse(plain);
    }

    /** What {@code {"/": …}} stands for; absent when it is an ordinary object. */
    private static Optional<CborValue> reserved(MapValue object) {
        if (object.members().size() != 1) {
            return Optional.empty();
        }
        CborValue inner = object.members().get(SLASH);
        if (inner instanceof TextValue text) {
            return Cid.parse(text.value()).map(LinkValue::new);
        }
        if (inner instanceof MapValue map && map.members().size() == 1) {
            return map.text(BYTES).flatMap(CborJson::base64).map(BytesValue::new);
        }
        return Optional.empty();
    }

    private static Optional<Bytes> base64(String text) {
        try {
            return Optional.of(Bytes.owning(Base64.getDecoder().decode(text)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static CborValue integer(String digits) {
        if (digits.length() <= LONGEST_EXACT) {
            BigInteger exact = new BigInteger(digits);
            if (exact.bitLength() <= 64) {
                return new IntegerValue(exact);
            }
        }
        return decimal(Double.parseDouble(digits));
    }

    /** The nearest value that DAG-CBOR has: a number beyond the largest float becomes that float. */
    private static CborValue decimal(double number) {
        double finite = Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, number));
        return FloatValue.integral(finite) ? CborValue.integer((long) finite) : new FloatValue(finite);
    }

    /** Writes one value; views of received bytes are copied token by token. */
    private record Writing(JsonGenerator json) implements CborValue.Cases<Void> {
        /** A piece of output. */
        private interface Step {
            void run() throws IOException;
        }

        // The stream is memory: it has no fault of its own to report.
        private static Void write(Step step) {
            try {
                step.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return null;
        }

        @Override
        public Void map(MapValue value) {
            return write(() -> {
                if (value.members() instanceof CheckedMap view) {
                    CborReader.copy(view.bytes(), view.start(), json);
                    return;
                }
                json.writeStartObject();
                for (Map.Entry<String, CborValue> member : value.members().entrySet()) {
                    json.writeFieldName(member.getKey());
                    member.getValue().fold(this);
                }
                json.writeEndObject();
            });
        }

        @Override
        public Void list(ListValue value) {
            return write(() -> {
                if (value.items() instanceof CheckedList view) {
                    CborReader.copy(view.bytes(), view.start(), json);
                    return;
                }
                json.writeStartArray();
                for (CborValue item : value.items()) {
                    item.fold(this);
                }
                json.writeEndArray();
            });
        }

        @Override
        public Void text(TextValue value) {
            return write(() -> writeText(Utf8.encode(value.value()), json));
        }

        @Override
        public Void bytes(BytesValue value) {
            return write(() -> writeBytesOrLink(value, json));
        }

        @Override
        public Void integer(IntegerValue value) {
            return write(() -> json.writeNumber(value.value()));
        }

        @Override
        public Void decimal(FloatValue value) {
            return write(() -> json.writeNumber(value.value()));
        }

        @Override
        public Void bool(BoolValue value) {
            return write(() -> json.writeBoolean(value.value()));
        }

        @Override
        public Void nothing(CborValue.NullValue value) {
            return write(json::writeNull);
        }

        @Override
        public Void link(LinkValue value) {
            return write(() -> writeBytesOrLink(value, json));
        }
    }
}
