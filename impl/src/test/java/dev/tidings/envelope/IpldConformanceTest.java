package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The DAG-CBOR fixtures of the IPLD project: every valid block decodes and is written again byte for byte.
 *
 * <p>None of the blocks is outside the narrower rules for envelopes: no float in the suite is a whole number, no link lacks
 * its zero byte, and none is nested beyond 64 levels.
 */
class IpldConformanceTest {
    private static final String SUITE = "ipld-dag-cbor";
    private static final String SUFFIX = ".dag-cbor";
    private static final int BLOCKS = 110;

    private static CborValue decode(byte[] block) {
        return Outcomes.accepted(DagCbor.decode(block, EnvelopeLimits.DEFAULT));
    }

    /** The same value without views, so that writing does not lean on the received bytes. */
    private static CborValue materialised(CborValue value) {
        if (value instanceof MapValue map) {
            var members = new java.util.HashMap<String, CborValue>();
            map.members().forEach((name, member) -> members.put(name, materialised(member)));
            return CborValue.map(members);
        }
        if (value instanceof ListValue list) {
            return CborValue.list(
                    list.items().stream().map(IpldConformanceTest::materialised).toList());
        }
        return value;
    }

    @Test
    void encode_everyValidBlock_givesTheSameBytes() throws IOException {
        List<Path> files = ConformanceFiles.files(ConformanceFiles.suite(SUITE), SUFFIX);
        assertTrue(files.size() >= BLOCKS, () -> "only " + files.size() + " blocks");
        for (Path file : files) {
            byte[] block = Files.readAllBytes(file);
            CborValue value = decode(block);
            String name = file.getFileName().toString();
            assertArrayEquals(block, DagCbor.encode(value), name);
            assertArrayEquals(block, DagCbor.encode(materialised(value)), name);
        }
    }

    @Test
    void encodeJson_everyValidBlockAsJson_givesTheSameBytes() throws IOException {
        for (Path file : ConformanceFiles.files(ConformanceFiles.suite(SUITE), SUFFIX)) {
            byte[] block = Files.readAllBytes(file);
            byte[] streamed = DagCbor.toJson(decode(block));
            byte[] walked = DagCbor.toJson(materialised(decode(block)));
            String name = file.getFileName().toString();
            assertArrayEquals(block, DagCbor.encodeJson(streamed), name);
            assertArrayEquals(block, DagCbor.encodeJson(walked), name);
        }
    }

    @Test
    void decode_blocksNamedByValue_giveThatValue() throws IOException {
        for (Path file : ConformanceFiles.files(ConformanceFiles.suite(SUITE), SUFFIX)) {
            String name = file.getFileName().toString().replace(SUFFIX, "");
            CborValue value = decode(Files.readAllBytes(file));
            if (name.startsWith("int-")) {
                assertEquals(new IntegerValue(new BigInteger(name.substring(4))), value, name);
            } else if (name.startsWith("float-") && !name.contains("array")) {
                assertEquals(new FloatValue(Double.parseDouble(name.substring(6))), value, name);
            } else if (name.startsWith("cid-") && !name.endsWith("of")) {
                assertEquals(Cid.parse(name.substring(4)).orElseThrow(), ((LinkValue) value).cid(), name);
            } else if (name.equals("string-Hello world")) {
                assertEquals(new TextValue("Hello world!"), value);
            }
        }
    }

    @Test
    void decode_negatives_areRefused() throws IOException {
        Path file = ConformanceFiles.suite(SUITE).resolve("negative-duplicate-keys.json");
        ListValue cases = (ListValue) DagCbor.fromJson(Files.readAllBytes(file));
        assertTrue(cases.items().size() > 0);
        for (CborValue each : cases.items()) {
            byte[] block = HexFormat.of().parseHex(((MapValue) each).text("hex").orElseThrow());
            Refusal refusal = Outcomes.refused(DagCbor.decode(block, EnvelopeLimits.DEFAULT));
            assertEquals(RefusalCode.NOT_CANONICAL, refusal.code());
        }
    }
}
