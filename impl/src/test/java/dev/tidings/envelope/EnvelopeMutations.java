package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes hostile messages out of good ones: changes that know where items, heads, keys and lengths are.
 *
 * <p>Public because the tests of other packages send them.
 */
public final class EnvelopeMutations {
    private static final int[][] INTERESTING = {
        {0x5f},
        {0x7f},
        {0x9f},
        {0xbf},
        {0xff},
        {0xf7},
        {0xf8, 0x20},
        {0xf9, 0x3c, 0x00},
        {0xfa, 0x3f, 0x80, 0, 0},
        {0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0},
        {0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0},
        {0xfb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0},
        {0xc0},
        {0xc2, 0x41, 0x01},
        {0xd8, 0x2a},
        {0xd8, 0x2a, 0x45, 0, 1, 0x55, 0, 0},
        {0xd9, 0xd9, 0xf7},
        {0x1c},
        {0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
        {0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
        {0xba, 0x7f, 0xff, 0xff, 0xff},
        {0x7a, 0x80, 0, 0, 0},
        {0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
        {0x62, 0xc0, 0x80},
        {0x63, 0xed, 0xa0, 0x80},
        {0x60},
        {0x40},
        {0x80},
        {0xa0},
        {0xf6},
        {0x00},
        {0x20}
    };

    /** A good or bad message to start from. Items are known of those that are canonical. */
    private record Base(byte[] bytes, int[] items) {
        int pick(SplittableRandom random) {
            return items[random.nextInt(items.length)];
        }

        /** Where an item ended before anything was changed: close enough after a change. */
        int end(int item, int limit) {
            return Math.max(item, Math.min(items.length > 1 ? Heads.itemEnd(bytes, item) : item + 1, limit));
        }
    }

    private final List<Base> bases = new ArrayList<>();
    private final List<byte[]> messages;

    public EnvelopeMutations(List<byte[]> messages) {
        this.messages = messages;
        for (byte[] message : messages) {
            if (message.length > 0 && message.length <= 2_000) {
                bases.add(new Base(message, items(message)));
            }
        }
    }

    private static int[] items(byte[] message) {
        if (!(CanonicalCheck.check(message, 64) instanceof Accepted)) {
            return new int[] {0};
        }
        List<Integer> starts = new ArrayList<>();
        for (int at = 0; at < message.length; ) {
            starts.add(at);
            int major = Heads.major(message, at);
            at = major == Heads.BYTES || major == Heads.TEXT ? Heads.itemEnd(message, at) : Heads.end(message, at);
        }
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    /** A message changed in one to three places. */
    public byte[] next(SplittableRandom random) {
        if (random.nextInt(20_000) == 0) {
            return large(random);
        }
        Base base = any(random);
        byte[] changed = base.bytes();
        for (int rounds = 1 + random.nextInt(8) / 6 + random.nextInt(8) / 7; rounds > 0; rounds--) {
            changed = change(base, changed, random);
        }
        return changed;
    }

    private byte[] large(SplittableRandom random) {
        byte[] changed = messages.get(random.nextInt(messages.size())).clone();
        if (changed.length > 0) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    private Base any(SplittableRandom random) {
        return bases.get(random.nextInt(bases.size()));
    }

    private byte[] change(Base base, byte[] bytes, SplittableRandom random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int picked = base.pick(random);
        int item = Math.min(picked, bytes.length - 1);
        int end = Math.max(item, Math.min(base.end(picked, bytes.length), bytes.length));
        return switch (random.nextInt(13)) {
            case 0 -> flip(bytes, random.nextInt(bytes.length), random);
            case 1 -> flip(bytes, item, random);
            case 2 -> splice(bytes, item, item + 1, new byte[] {(byte) random.nextInt()});
            case 3 -> splice(bytes, item, random.nextBoolean() ? end : item, interesting(random));
            case 4 -> longerHead(bytes, item, random);
            case 5 -> plusOne(bytes, item, random);
            case 6 -> Arrays.copyOf(bytes, random.nextBoolean() ? item : random.nextInt(bytes.length));
            case 7 -> splice(bytes, bytes.length, bytes.length, interesting(random));
            case 8 -> splice(bytes, item, end, new byte[0]);
            case 9 -> splice(bytes, item, item, Arrays.copyOfRange(bytes, item, end));
            case 10 -> splice(bytes, item, end, itemOf(any(random), random));
            case 11 -> splice(bytes, item, item, nesting(random));
            default -> swap(base, bytes, item, end, random);
        };
    }

    private static byte[] flip(byte[] bytes, int at, SplittableRandom random) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    private static byte[] interesting(SplittableRandom random) {
        int[] chosen = INTERESTING[random.nextInt(INTERESTING.length)];
        byte[] bytes = new byte[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            bytes[i] = (byte) chosen[i];
        }
        return bytes;
    }

    /** The same number in a head that is longer than need be. */
    private static byte[] longerHead(byte[] bytes, int at, SplittableRandom random) {
        int info = bytes[at] & 31;
        int step = random.nextInt(4);
        if (info >= 24) {
            return plusOne(bytes, at, random);
        }
        byte[] head = new byte[1 + (1 << step)];
        head[0] = (byte) (bytes[at] & 0xe0 | 24 + step);
        head[head.length - 1] = (byte) info;
        return splice(bytes, at, at + 1, head);
    }

    /** A number, length or count that is one too large or small. */
    private static byte[] plusOne(byte[] bytes, int at, SplittableRandom random) {
        byte[] changed = bytes.clone();
        int info = bytes[at] & 31;
        int last = info < 24 || info > 27 ? at : Math.min(at + (1 << (info - 24)), bytes.length - 1);
        changed[last] += (byte) (random.nextBoolean() ? 1 : -1);
        return changed;
    }

    private static byte[] nesting(SplittableRandom random) {
        int levels = 1 + random.nextInt(random.nextInt(16) == 0 ? 3_000 : 80);
        byte[] opening = random.nextBoolean() ? new byte[] {(byte) 0x81} : new byte[] {(byte) 0xa1, 0x60};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < levels; i++) {
            out.writeBytes(opening);
        }
        return out.toByteArray();
    }

    private static byte[] itemOf(Base base, SplittableRandom random) {
        int item = base.pick(random);
        return Arrays.copyOfRange(base.bytes(), item, base.end(item, base.bytes().length));
    }

    /** Two items change places: keys out of order, values under the wrong key. */
    private static byte[] swap(Base base, byte[] bytes, int item, int end, SplittableRandom random) {
        int other = base.pick(random);
        int otherEnd = base.end(other, bytes.length);
        if (other < end || otherEnd > bytes.length) {
            return flip(bytes, item, random);
        }
        byte[] first = Arrays.copyOfRange(bytes, item, end);
        byte[] second = Arrays.copyOfRange(bytes, other, otherEnd);
        return splice(splice(bytes, other, otherEnd, first), item, end, second);
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] middle) {
        byte[] result = new byte[from + middle.length + bytes.length - to];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(middle, 0, result, from, middle.length);
        System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
        return result;
    }

    /** An envelope of odd but canonical content, signed over whatever it holds: it reaches the checks behind the signature. */
    public byte[] resigned(SplittableRandom random, long now) {
        Map<String, CborValue> action = new LinkedHashMap<>();
        action.put("_", random.nextInt(8) == 0 ? odd(random, 2) : CborValue.text("Subscribe"));
        action.put(
                "ts",
                random.nextInt(4) == 0 ? odd(random, 2) : CborValue.integer(now + random.nextInt(700_000) - 350_000));
        for (int i = random.nextInt(5); i > 0; i--) {
            action.put("m" + random.nextInt(100), odd(random, 4));
        }
        Map<String, CborValue> others = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            others.put("o" + random.nextInt(100), odd(random, 4));
        }
        Signer signer = Signer.number(random.nextInt(20));
        Signer account = random.nextBoolean() ? signer : Signer.number(random.nextInt(20));
        if (account != signer && random.nextBoolean()) {
            others.putAll(carried(random, account, signer, now));
        }
        return EnvelopeFixtures.signed(signer, account.principal(), CborValue.map(action), others);
    }

    /** A capability, good or with one fault, and the name that goes with it or another. */
    private static Map<String, CborValue> carried(SplittableRandom random, Signer account, Signer signer, long now) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        members.put("type", CborValue.text("Capability"));
        Signer issuer = random.nextInt(8) == 0 ? Signer.number(99) : account;
        Signer delegate = random.nextInt(8) == 0 ? Signer.number(98) : signer;
        members.put("signer", CborValue.bytes(issuer.principal().bytes().toByteArray()));
        members.put("delegate", CborValue.bytes(delegate.principal().bytes().toByteArray()));
        members.put("role", CborValue.text(random.nextInt(4) == 0 ? "READER" : "AGENT"));
        members.put("ts", CborValue.integer(now + random.nextInt(4)));
        if (random.nextInt(3) == 0) {
            List<String> names = List.copyOf(members.keySet());
            members.put(names.get(random.nextInt(names.size())), odd(random, 3));
        }
        if (random.nextInt(50) == 0) {
            members.put("fill", CborValue.bytes(new byte[70_000]));
        }
        byte[] blob = EnvelopeFixtures.signedBlob(random.nextInt(8) == 0 ? Signer.number(97) : issuer, members);
        if (random.nextInt(8) == 0) {
            blob = flip(blob, random.nextInt(blob.length), random);
        }
        Map<String, CborValue> carried = new LinkedHashMap<>(EnvelopeFixtures.carrying(blob));
        switch (random.nextInt(16)) {
            case 0 -> carried.put("capability", odd(random, 2));
            case 1 -> carried.put("capabilityBlob", odd(random, 2));
            case 2 -> carried.remove("capabilityBlob");
            case 3 -> carried.put("capability", CborValue.text("bafyreigh2akiscaild"));
            default -> {
                // As it should be.
            }
        }
        return carried;
    }

    /** A value of any kind, some of them rarely seen. */
    public static CborValue odd(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 11 : 8)) {
            case 0 -> CborValue.NULL;
            case 1 -> CborValue.bool(random.nextBoolean());
            case 2 -> CborValue.integer(random.nextLong() >> random.nextInt(64));
            case 3 -> new CborValue.FloatValue(random.nextInt(1_000) + 0.5);
            case 4 -> CborValue.text("\u0000é😀".substring(0, random.nextInt(3)) + random.nextInt());
            case 5 -> CborValue.bytes(new byte[random.nextInt(70)]);
            case 6 -> new CborValue.FloatValue(1e300);
            case 7 -> new CborValue.LinkValue(Cid.parse("bafkqabiaaebagba").orElseThrow());
            case 8 -> CborValue.list(List.of(odd(random, depth - 1), odd(random, depth - 1)));
            case 9 -> CborValue.map(Map.of("a", odd(random, depth - 1), "bb", odd(random, depth - 1)));
            default -> nested(random.nextInt(80));
        };
    }

    private static CborValue nested(int levels) {
        CborValue value = CborValue.NULL;
        for (int i = 0; i < levels; i++) {
            value = CborValue.list(List.of(value));
        }
        return value;
    }

    static MapValue ordinaryAction(long now) {
        return EnvelopeFixtures.action(
                "MessageSession",
                now,
                Map.of(
                        "sessionId", CborValue.text("s1"),
                        "content",
                                CborValue.list(List.of(CborValue.map(
                                        Map.of("type", CborValue.text("text"), "text", CborValue.text("héllo"))))),
                        "big", new CborValue.IntegerValue(BigInteger.TWO.pow(64).subtract(BigInteger.ONE)),
                        "half", new CborValue.FloatValue(0.5),
                        "raw", CborValue.bytes(new byte[] {0, 1, 2})));
    }
}
