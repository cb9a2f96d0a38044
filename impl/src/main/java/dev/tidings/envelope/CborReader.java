package dev.tidings.envelope;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes checked bytes with Jackson: single values, and whole items straight into JSON.
 *
 * <p>Only the streaming API is used, which is the same in every Jackson that an application server may bring. The check came
 * first, so Jackson never sees an indefinite length, a foreign tag, a key that is not text, or deep nesting.
 *
 * <p>A parser is neither asked for what follows the item nor closed, which are the same to it: a server may put a
 * {@code jackson-core} of its own below the application's CBOR jar, and to close asks for what an older one does not have. It
 * holds nothing but memory. Single texts need no parser: its buffer would cost more than they do.
 */
final class CborReader {
    private static final CBORFactory FACTORY = factory();

    private CborReader() {}

    private static CBORFactory factory() {
        // The size of a message is limited where it comes in; a key may be as long as the message.
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNameLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
        // Peers choose the keys: a table of names shared by all messages would only be filled and attacked.
        return CBORFactory.builder()
                .streamReadConstraints(constraints)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    /** The value that starts at {@code start}; maps and lists as views. */
    static CborValue value(byte[] bytes, int start) {
        return switch (Heads.major(bytes, start)) {
            case Heads.LIST -> new ListValue(new CheckedList(bytes, start));
            case Heads.MAP -> new MapValue(new CheckedMap(bytes, start));
            case Heads.TEXT -> new TextValue(text(bytes, start));
            default -> scalar(bytes, start);
        };
    }

    /** The text that starts at {@code start}. */
    static String text(byte[] bytes, int start) {
        return new String(bytes, Heads.end(bytes, start), (int) Heads.argument(bytes, start), StandardCharsets.UTF_8);
    }

    private static CborValue scalar(byte[] bytes, int start) {
        try {
            CBORParser parser = parser(bytes, start);
            JsonToken token = parser.nextToken();
            return switch (token) {
                case VALUE_NUMBER_INT -> new IntegerValue(parser.getBigIntegerValue());
                case VALUE_NUMBER_FLOAT -> new FloatValue(parser.getDoubleValue());
                case VALUE_TRUE -> new BoolValue(true);
                case VALUE_FALSE -> new BoolValue(false);
                case VALUE_NULL -> CborValue.NULL;
                case VALUE_EMBEDDED_OBJECT -> bytesOrLink(Heads.major(bytes, start), parser.getBinaryValue());
                default -> throw disagreement();
            };
        } catch (IOException e) {
            throw disagreement();
        }
    }

    private static CborValue bytesOrLink(int major, byte[] content) {
        return major == Heads.TAG ? new LinkValue(cid(content)) : new BytesValue(Bytes.owning(content));
    }

    private static Cid cid(byte[] content) {
        return new Cid(Bytes.owning(Arrays.copyOfRange(content, 1, content.length)));
    }

    /** Writes the item that starts at {@code start} as JSON, without a tree in between. */
    static void copy(byte[] bytes, int start, JsonGenerator json) throws IOException {
        CBORParser parser = parser(bytes, start);
        int open = 0;
        do {
            JsonToken token = parser.nextToken();
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            copyToken(token, parser, json);
        } while (open > 0);
    }

    private static void copyToken(JsonToken token, CBORParser parser, JsonGenerator json) throws IOException {
        switch (token) {
            case START_OBJECT -> json.writeStartObject();
            case END_OBJECT -> json.writeEndObject();
            case START_ARRAY -> json.writeStartArray();
            case END_ARRAY -> json.writeEndArray();
            case FIELD_NAME -> json.writeFieldName(parser.getText());
            case VALUE_STRING -> CborJson.writeText(parser.getText().getBytes(StandardCharsets.UTF_8), json);
            case VALUE_NUMBER_INT -> json.writeNumber(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> json.writeNumber(parser.getDoubleValue());
            case VALUE_TRUE -> json.writeBoolean(true);
            case VALUE_FALSE -> json.writeBoolean(false);
            case VALUE_NULL -> json.writeNull();
            case VALUE_EMBEDDED_OBJECT -> {
                boolean link = parser.getCurrentTag() == 42;
                CborJson.writeBytesOrLink(bytesOrLink(link ? Heads.TAG : Heads.BYTES, parser.getBinaryValue()), json);
            }
            default -> throw disagreement();
        }
    }

    private static CBORParser parser(byte[] bytes, int start) throws IOException {
        return FACTORY.createParser(bytes, start, Heads.itemEnd(bytes, start) - start);
    }

    /** Checked bytes that Jackson cannot read: our check or Jackson is broken; no fault of the message. */
    private static IllegalStateException disagreement() {
        return new IllegalStateException("canonical DAG-CBOR that the CBOR reader refuses");
    }
}
