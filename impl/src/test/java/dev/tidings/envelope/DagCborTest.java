package dev.tidings.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DagCborTest {
    private static final int RANDOM_TREES = Integer.getInteger("tidings.test.trees", 300);
    private static final long SEED = Long.getLong("tidings.test.trees.seed", 20260102L);

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static CborValue decode(byte[] bytes) {
        Checked<CborValue> checked = DagCbor.decode(bytes, EnvelopeLimits.DEFAULT);
        return Outcomes.accepted(checked);
    }

    private static String json(CborValue value) {
        return new String(DagCbor.toJson(value), UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}|a0
                    []|80
                    {"b":1,"a":2,"aa":3}|a361610261620162616103
                    {"é":1,"zz":2,"z":3}|a3617a03627a7a0262c3a901
                    0|00
                    -1|20
                    23|17
                    24|1818
                    9007199254740991|1b001fffffffffffff
                    9007199254740993|1b0020000000000001
                    18446744073709551615|1bffffffffffffffff
                    -18446744073709551616|3bffffffffffffffff
                    18446744073709551616|fb43f0000000000000
                    1.0|01
                    -0.0|00
                    1e3|1903e8
                    1e300|fb7e37e43c8800759c
                    9007199254740992.0|fb4340000000000000
                    0.5|fb3fe0000000000000
                    1e400|fb7fefffffffffffff
                    -1e400|fbffefffffffffffff
                    true|f5
                    null|f6
                    "\\u0000"|6100
                    "\\ud83d\\ude00"|64f09f9880
                    "\\ud83d"|63efbfbd
                    {"/":{"bytes":"AQI"}}|420102
                    {"/":{"bytes":"AQI="}}|420102
                    {"/":"bafkqabiaaebagba"}|d82a4a00015500050001020304
                    {"/":"no link"}|a1612f676e6f206c696e6b
                    {"/":{"bytes":"?"}}|a1612fa1656279746573613f
                    {"/":{"bytes":"AQI"},"x":1}|a2612fa165627974657363415149617801
                    {"a":1,"a":2}|a1616102
                    """)
    void encodeJson_value_hasTheOneCanonicalForm(String json, String expected) {
        byte[] encoded = DagCbor.encodeJson(json.getBytes(UTF_8));
        assertEquals(expected, hex(encoded));
        decode(encoded);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1bffffffffffffffff|18446744073709551615
                    3bffffffffffffffff|-18446744073709551616
                    1b0020000000000001|9007199254740993
                    fb3fe0000000000000|0.5
                    43010203|{"/":{"bytes":"AQID"}}
                    4101|{"/":{"bytes":"AQ"}}
                    40|{"/":{"bytes":""}}
                    d82a4a00015500050001020304|{"/":"bafkqabiaaebagba"}
                    6100|"\\u0000"
                    64f09f9880|"😀"
                    83f4f5f6|[false,true,null]
                    a2616180616281a0|{"a":[],"b":[{}]}
                    """)
    void toJson_value_isCompact(String cbor, String expected) {
        assertEquals(expected, json(decode(HexFormat.of().parseHex(cbor))));
    }

    /** Jackson's generator cuts texts into chunks from about 4,000 characters on, which strict readers refuse. */
    @ParameterizedTest
    @ValueSource(ints = {3_999, 4_000, 4_001, 65_535, 65_536, 100_000, 300_000})
    void encode_longText_isOneDefiniteText(int length) {
        for (String character : new String[] {"x", "é", "\u0000", "😀"}) {
            String text = character.repeat(length);
            byte[] encoded = DagCbor.encode(CborValue.map(Map.of("text", CborValue.text(text))));
            assertEquals(0xa1, encoded[0] & 0xff);
            MapValue read = assertInstanceOf(MapValue.class, decode(encoded));
            assertEquals(text, read.text("text").orElseThrow());
            assertArrayEquals(encoded, DagCbor.encodeJson(DagCbor.toJson(read)));
        }
    }

    /** Failure mode: maps of indefinite length. */
    @Test
    void encode_mapsOfAnySize_haveDefiniteHeads() {
        for (int size : new int[] {0, 1, 23, 24, 255, 256, 70_000}) {
            Map<String, CborValue> members = new LinkedHashMap<>();
            for (int i = size; i > 0; i--) {
                members.put("k" + i, CborValue.integer(i));
            }
            byte[] encoded = DagCbor.encode(CborValue.map(members));
            assertTrue((encoded[0] & 0xff) <= 0xba && (encoded[0] & 0xff) >= 0xa0);
            // Asked this way round: a received map finds a member by walking to it.
            assertEquals(decode(encoded), CborValue.map(members));
        }
    }

    @Test
    void encode_randomTrees_readBackEqualThroughCborAndJson() {
        System.out.println("DAG-CBOR trees: tidings.test.trees.seed=" + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM_TREES; i++) {
            CborValue tree = tree(random, 4);
            byte[] encoded = DagCbor.encode(tree);
            CborValue read = decode(encoded);
            assertEquals(tree, read);
            assertEquals(read, tree);
            assertEquals(read, decode(encoded));
            assertEquals(tree.hashCode(), read.hashCode());
            assertArrayEquals(encoded, DagCbor.encode(read));
            assertEquals(tree, DagCbor.fromJson(DagCbor.toJson(read)));
            assertEquals(tree, DagCbor.fromJson(DagCbor.toJson(tree)));
        }
    }

    private static CborValue tree(Random random, int depth) {
        switch (random.nextInt(depth > 0 ? 10 : 7)) {
            case 0:
                return CborValue.text(text(random));
            case 1:
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                return CborValue.bytes(bytes);
            case 2:
                BigInteger magnitude = new BigInteger(random.nextInt(65), random);
                return new IntegerValue(random.nextBoolean() ? magnitude : magnitude.not());
            case 3:
                double number = Double.longBitsToDouble(random.nextLong());
                boolean usable = Double.isFinite(number) && !FloatValue.integral(number);
                return usable ? new FloatValue(number) : CborValue.NULL;
            case 4:
                return CborValue.bool(random.nextBoolean());
            case 5:
                byte[] digest = new byte[36];
                random.nextBytes(digest);
                System.arraycopy(new byte[] {1, 0x71, 0x12, 32}, 0, digest, 0, 4);
                return new LinkValue(new Cid(Bytes.copyOf(digest)));
            case 6:
                return CborValue.NULL;
            case 7:
                List<CborValue> items = new ArrayList<>();
                for (int i = random.nextInt(30); i > 0; i--) {
                    items.add(tree(random, depth - 1));
                }
                return CborValue.list(items);
            default:
                Map<String, CborValue> members = new LinkedHashMap<>();
                for (int i = random.nextInt(30); i > 0; i--) {
                    members.put("m" + text(random), tree(random, depth - 1));
                }
                return CborValue.map(members);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            int codePoint = random.nextInt(4) == 0 ? random.nextInt(Character.MAX_CODE_POINT) : random.nextInt(128);
            boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
            text.appendCodePoint(surrogate ? 'x' : codePoint);
        }
        return text.toString();
    }

    @Test
    void members_ofReceivedMap_areFoundByNameAndKind() {
        MapValue map = (MapValue) decode(DagCbor.encodeJson(
                "{\"t\":\"x\",\"n\":7,\"big\":18446744073709551615,\"l\":[1,2],\"m\":{\"é\":1}}".getBytes(UTF_8)));
        assertEquals("x", map.text("t").orElseThrow());
        assertEquals(7, map.integer("n").orElseThrow());
        assertTrue(map.integer("big").isEmpty());
        assertTrue(map.text("n").isEmpty());
        assertTrue(map.member("absent").isEmpty());
        assertTrue(map.members().containsKey("l"));
        assertEquals(1, map.map("m").orElseThrow().integer("é").orElseThrow());
        ListValue list = map.list("l").orElseThrow();
        assertEquals(CborValue.integer(2), list.items().get(1));
        assertThrows(IndexOutOfBoundsException.class, () -> list.items().get(2));
        assertThrows(UnsupportedOperationException.class, () -> list.items().add(CborValue.NULL));
        assertThrows(UnsupportedOperationException.class, () -> map.members().remove("t"));
        assertThrows(UnsupportedOperationException.class, () -> map.members().put("t", new TextValue("y")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "1 2", "{\"a\"}", "nul", "\"\\x\"", "NaN", "01"})
    void fromJson_notOneJsonValue_throwsWithoutQuotingIt(String json) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> DagCbor.fromJson(json.getBytes(UTF_8)));
        assertEquals("not one JSON value", thrown.getMessage());
    }

    @Test
    void decode_arrayChangedByCallerAfterwards_valueStays() {
        byte[] bytes = DagCbor.encodeJson("{\"a\":\"b\"}".getBytes(UTF_8));
        MapValue map = (MapValue) decode(bytes);
        java.util.Arrays.fill(bytes, (byte) 0xff);
        assertEquals("b", map.text("a").orElseThrow());
    }
}
